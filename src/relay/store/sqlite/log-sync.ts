/**
 * Syncs the write-ahead log of a database beside the thread that writes it, so that the thread executes the next
 * transaction while the disk works.
 *
 * A commit with `synchronous = NORMAL` has appended all its pages to the log. It is durable when the log is synced:
 * after a power cut, SQLite reads the log up to the last complete commit (https://sqlite.org/wal.html). SQLite itself syncs the
 * log before it copies pages to the database, and the database before it begins the log again.
 */
import { type FileHandle, open } from 'node:fs/promises';

export class LogSync {
  readonly #file: FileHandle;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Opens the log.
   * @param path the database file, open in WAL mode: until it is closed, the log stays the same file
   */
  static async open(path: string): Promise<LogSync> {
    // Node's permissions forbid `fdatasync` of a number, and allow that of a handle.
    return new LogSync(await open(`${path}-wal`, 'r+'));
  }

  /**
   * Resolves when all that was written before the call is on the disk. Calls during a sync share the next one.
   * @throws Error of the disk: then nothing since the last sync is known to be stored
   */
  sync(): Promise<void> {
    if (this.#running === null) return this.#start();
    // The running one began before the latest writes.
    this.#next ??= this.#running.then(() => this.#start());
    return this.#next;
  }

  /** Waits for the syncs in progress. */
  async close(): Promise<void> {
    await (this.#next ?? this.#running);
    await this.#file.close();
  }

  #start(): Promise<void> {
    this.#next = null;
    this.#running = this.#file.datasync().then(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
