/**
 * Checkpoints: pages of the write-ahead log are moved into the database file, so that the log begins anew. All at once in the writer
 * would stop each write for as long as the disk needs for thousands of scattered pages. So a thread moves most of them while writes
 * continue, and the writer moves those that were added meanwhile. https://sqlite.org/wal.html, chapter 2.2.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { type Database, hasDiskFailed, openForCheckpoints, reasonOf } from './database.ts';

/** The pages in the log that start a checkpoint: 64 MiB. In a long log, many changes of a page need one move. */
const LOG_PAGES = 16_384;
/**
 * Readers can keep a long log from beginning anew. Then each checkpoint follows after this part of its limit: with long reads one after
 * the other, only a few of them succeed, and the log would grow by its limit for each.
 */
const RETRY_PART = 1 / 64;

/** A request to the thread. */
type CheckpointRequest = 'move' | 'close';
/** Its answer to `move`: the reason if the disk failed. */
type CheckpointAnswer = string | null;

export interface CheckpointOptions {
  /** Of the store's threads. */
  entry: URL;
  /** The database file. */
  path: string;
  /** The pages in the log that start a checkpoint. */
  logPages?: number;
  /** Called if the disk failed. Pages of the log are perhaps lost in the file, so no write may begin the log anew. */
  onFailed(reason: string): void;
}

/** The checkpoints of the writer's connection. */
export class Checkpoints {
  readonly #options: Required<CheckpointOptions>;
  readonly #measure;
  readonly #move: () => CheckpointAnswer;
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
    const { logPages } = this.#options;
    if (!state || state.log < logPages || state.log - state.checkpointed < logPages * RETRY_PART) return;
    this.#isMoving = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('move' satisfies CheckpointRequest);
  }

  /** Ends the thread, after the running checkpoint. */
  async close(): Promise<void> {
    if (!this.#thread) return;
    const { promise: ended, resolve } = Promise.withResolvers<number>();
    this.#thread.once('exit', resolve);
    this.#thread.postMessage('close' satisfies CheckpointRequest);
    await ended;
  }

  /** Between two flushes. With no page left, the next one begins the log anew. */
  #finish(failure: CheckpointAnswer): void {
    const reason = failure ?? this.#move();
    if (reason === null) this.#isMoving = false;
    else this.#options.onFailed(reason);
  }

  #start(): Worker {
    const { entry, path } = this.#options;
    const thread = new Worker(entry, { workerData: { path, role: 'checkpoints' } });
    thread.on('message', (failure: CheckpointAnswer) => this.#finish(failure));
    // Without a file descriptor or memory for it, for example, the writer moves all pages. The next checkpoint starts another one.
    thread.on('error', () => {
      this.#thread = null;
      this.#finish(null);
    });
    thread.unref();
    return thread;
  }
}

/** Serves the thread. */
export function serveCheckpoints(path: string, port: MessagePort): void {
  const database = openForCheckpoints(path);
  const move = pageMover(database);
  port.on('message', (request: CheckpointRequest) => {
    if (request === 'move') return port.postMessage(move() satisfies CheckpointAnswer);
    database.close();
    port.close();
  });
}

/** A function that moves all pages that no reader needs from the log, and syncs the file. @returns the reason if the disk failed */
function pageMover(database: Database): () => CheckpointAnswer {
  const statement = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  return () => {
    try {
      statement.get();
    } catch (error) {
      if (hasDiskFailed(error)) return reasonOf(error);
      // Without room on the disk, for example, the log keeps the pages for the next checkpoint.
    }
    return null;
  };
}
