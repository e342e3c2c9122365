/** The file thread, started with its first work. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import { pause } from '../../base/backoff.ts';
import { describe } from '../../base/error-facts.ts';
import { Failure, failedWith, failureFrom } from '../../base/failure.ts';
import { log, toFailure } from '../../base/log.ts';
import type { Answer } from '../../bridge/failure.ts';
import { StuckThreads } from '../stuck-threads.ts';
import type { FileFunctions, FileListeners, TransferAnswer } from './functions.ts';
import { UnfinishedCopies } from './unfinished-copies.ts';

/** Folder of the files in the engine's folder. */
const FOLDER = 'files';
/** Wait before a transfer is continued by a new thread, in milliseconds. */
const RESTART_AFTER = 5_000;
/** The longest wait for the end of running work, in milliseconds. */
const CLOSE_WITHIN = 2_000;

interface Running {
  worker: Worker;
  rpc: BirpcReturn<FileFunctions, FileListeners>;
}

/** A call of the thread. */
export type FileWork<T> = (functions: Running['rpc']) => Promise<Answer<T>>;

export class FileThread {
  readonly #entry: URL;
  readonly #folder: string;
  readonly #listeners: FileListeners;
  readonly #stuck: StuckThreads;
  #running: Running | null = null;
  #closed = false;

  /**
   * @param entry files/worker.ts, or its bundled form
   * @param dataDirectory the engine's folder
   * @param stuckThreads those of the host
   */
  constructor(
    entry: URL,
    dataDirectory: string,
    listeners: Omit<FileListeners, 'log'>,
    stuckThreads?: SharedArrayBuffer,
  ) {
    this.#entry = entry;
    this.#folder = join(dataDirectory, FOLDER);
    this.#stuck = new StuckThreads(stuckThreads);
    this.#listeners = { ...listeners, log: ({ level, event, ...facts }) => log(level, event, facts) };
    // In its thread: a copy may be on a disk that does not answer.
    if (new UnfinishedCopies(this.#folder).hasUnfinished && !this.#stuck.any)
      this.order((functions) => functions.removeUnfinishedCopies()).catch(() => undefined);
  }

  /** Reports whether files were stored before. */
  get hasFolder(): boolean {
    return existsSync(this.#folder);
  }

  /** Calls a function of the thread. @throws Failure */
  async call<T>(work: FileWork<T>): Promise<T> {
    const answer = await work(this.#start());
    if (!answer.ok) throw failureFrom(answer.failure);
    return answer.value;
  }

  /** Runs an upload or download. A thread that ends is a failure to retry. */
  async transfer<T>(
    work: (functions: Running['rpc']) => Promise<TransferAnswer<T>>,
  ): Promise<TransferAnswer<T>> {
    try {
      return await work(this.#start());
    } catch (error) {
      return { ok: false, failure: toFailure(error).data, wait: RESTART_AFTER };
    }
  }

  /** Calls a function without a result, on a new thread if this one ends. @throws Failure closing, if it has not been done */
  async order(work: (functions: Running['rpc']) => Promise<void>): Promise<void> {
    try {
      await work(this.#start());
    } catch (error) {
      if (this.#closed || !failedWith(error, 'closing')) throw error;
      await work(this.#start());
    }
  }

  /** Ends the work of the thread, and terminates it, also if its disk does not answer. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    if (!running) return;
    const ended = new AbortController();
    const close = running.rpc
      .close()
      .catch(() => undefined)
      .finally(() => ended.abort());
    await Promise.race([close, pause(CLOSE_WITHIN, ended.signal)]);
    await this.#end(running);
  }

  /** Ends the thread without the end of its work, as a kill does. The next call starts another one. */
  async replace(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    await this.#end(running);
  }

  async #end(running: Running): Promise<void> {
    this.#running = null;
    // At once: a thread that is stuck has no end.
    running.rpc.$close(new Failure('closing'));
    await this.#stuck.end(running.worker);
  }

  /** @throws Failure disk_silent if a thread waits for a disk that does not answer */
  requireAnswers(): void {
    if (this.#stuck.any) throw new Failure('disk_silent');
  }

  #start(): Running['rpc'] {
    if (this.#closed) throw new Failure('closing');
    if (this.#running) return this.#running.rpc;
    const worker = new Worker(this.#entry, { workerData: { folder: this.#folder } });
    const rpc = createBirpc<FileFunctions, FileListeners>(this.#listeners, {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      timeout: -1,
    });
    const running = { worker, rpc };
    const end = () => {
      if (this.#running === running) this.#running = null;
      rpc.$close(new Failure('closing'));
    };
    worker.once('error', (error) => {
      log('error', 'files.stopped', describe(error));
      end();
    });
    worker.once('exit', end);
    this.#running = running;
    return rpc;
  }
}
