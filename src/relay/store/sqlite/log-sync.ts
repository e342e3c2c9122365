/**
 * Syncs the write-ahead log of a database beside the thread that writes it, so that the thread executes the next
 * transaction while the disk works.
 *
 * A commit with `synchronous = NORMAL` has appended all its pages to the log. It is durable when the log is synced: after a
 * power cut, SQLite reads the log up to the last complete commit (https://sqlite.org/wal.html). SQLite itself syncs the log
 * before it copies pages to the database, and the database before it overwrites the log from the start.
 */
import { type FileHandle, open } from 'node:fs/promises';

export class LogSync {
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * @param path the database file, open in WAL mode: until it is closed, the log stays the same file
   * @throws Error if the log cannot be opened for writing
   */
  static async open(path: string): Promise<LogSync> {
    // A handle: Node's permission model, as in deploy/systemd, refuses `fs.fdatasync`.
    return new LogSync(await open(`${path}-wal`, 'r+'));
  }

  /**
   * Resolves when all that was written before the call is on the disk. Calls during a sync share the next one.
   * @throws Error of the disk, also at each later call: nothing since the last sync is known to be stored
   */
  sync(): Promise<void> {
    if (this.#next === null) {
      this.#next = this.#last.then(() => {
        // Later writes need another one.
        this.#next = null;
        return this.#file.datasync();
      });
      this.#last = this.#next;
    }
    return this.#next;
  }

  /** Waits for the syncs in progress. @throws Error if one failed */
  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}
