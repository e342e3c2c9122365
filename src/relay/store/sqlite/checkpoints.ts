/**
 * Checkpoints: pages of the write-ahead log are moved into the database file, so that the log begins anew. All at once in the writer
 * would stop each write for as long as the disk needs for thousands of scattered pages. So a thread moves most of them while writes
 * continue, and the writer moves those that were added meanwhile. https://sqlite.org/wal.html, chapter 2.2.
 */
import { once } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { type Database, hasDiskFailed, openForCheckpoints } from './database.ts';

/** The pages in the log that start a checkpoint: 64 MiB. In a long log, many changes of a page need one move. */
const LOG_PAGES = 16_384;

/** A message to the thread. It answers the first with `moved`, and ends after the second. */
type CheckpointRequest = 'move' | 'close';

export interface CheckpointOptions {
  /** Of the store's threads. */
  entry: URL;
  /** The database file. */
  path: string;
  /** The pages in the log that start a checkpoint. */
  logPages?: number;
}

/** The checkpoints of the writer's connection. */
export class Checkpoints {
  readonly #options: Required<CheckpointOptions>;
  readonly #measure;
  readonly #move: () => void;
  #thread: Worker | null = null;
  #isMoving = false;

  constructor(database: Database, options: CheckpointOptions) {
    this.#options = { logPages: LOG_PAGES, ...options };
    database.pragma('wal_autocheckpoint = 0');
    this.#measure = database.prepare<[], { log: number; checkpointed: number }>(
      'PRAGMA wal_checkpoint(NOOP)',
    );
    this.#move = pageMover(database);
  }

  /** Starts a checkpoint if the log is long. The first one starts the thread. Call it after a commit, outside a transaction. */
  afterCommit(): void {
    if (this.#isMoving) return;
    const state = this.#measure.get();
    if (!state || state.log - state.checkpointed < this.#options.logPages) return;
    this.#isMoving = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('move' satisfies CheckpointRequest);
  }

  /** Ends the thread, after the running checkpoint. */
  async close(): Promise<void> {
    if (!this.#thread) return;
    const ended = once(this.#thread, 'exit');
    this.#thread.postMessage('close' satisfies CheckpointRequest);
    await ended;
  }

  #start(): Worker {
    const { entry, path } = this.#options;
    const thread = new Worker(entry, { workerData: { path, role: 'checkpoints' } });
    // Between two flushes. With no page left, the next one begins the log anew.
    thread.on('message', () => {
      this.#isMoving = false;
      this.#move();
    });
    // Ends the writer: a log whose pages were perhaps lost must not begin anew.
    thread.on('error', (error) => {
      throw error;
    });
    thread.unref();
    return thread;
  }
}

/** Serves the thread. An error of the disk ends it. */
export function serveCheckpoints(path: string, port: MessagePort): void {
  const database = openForCheckpoints(path);
  const move = pageMover(database);
  port.on('message', (request: CheckpointRequest) => {
    if (request === 'move') {
      move();
      port.postMessage('moved');
    } else {
      database.close();
      port.close();
    }
  });
}

/** A function that moves all pages that no reader needs from the log, and syncs the file. @throws SqliteError if the disk failed */
function pageMover(database: Database): () => void {
  const statement = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  return () => {
    try {
      statement.get();
    } catch (error) {
      // Without room on the disk, for example, the log keeps the pages for the next checkpoint.
      if (hasDiskFailed(error)) throw error;
    }
  };
}
