/**
 * Threads that wait for a disk that does not answer, such as one of a network. The system does not end such a thread before the
 * disk answers, and each keeps one of the few places for work with files in this process. No JavaScript runs in it any more.
 */
import { isMainThread, type Worker } from 'node:worker_threads';
import { pause } from '../base/backoff.ts';
import { log } from '../base/log.ts';

/** The longest wait for the end of a thread, in milliseconds. */
const END_WITHIN = 2_000;

export class StuckThreads {
  readonly #count = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #counts: Int32Array[];

  /** @param count of the thread that started this one */
  constructor(count?: SharedArrayBuffer) {
    this.#counts = [this.#count, ...(count ? [count] : [])].map((each) => new Int32Array(each));
  }

  /** The current number of stuck threads, shared with the threads that this one starts. */
  get count(): SharedArrayBuffer {
    return this.#count;
  }

  /** Reports whether a thread is stuck. A second thread would wait for the same disk. */
  get any(): boolean {
    return this.#counts.some((each) => Atomics.load(each, 0) > 0);
  }

  /** Ends a thread. Resolves without its end if it is stuck. */
  async end(worker: Worker): Promise<void> {
    const end = new AbortController();
    const ended = worker.terminate().finally(() => end.abort());
    await pause(END_WITHIN, end.signal);
    if (end.signal.aborted) return;
    log('error', 'thread.stuck');
    worker.unref();
    this.#add(1);
    // The end of the process would wait for the disk, too.
    const kill = () => process.kill(process.pid, 'SIGKILL');
    if (isMainThread) process.once('exit', kill);
    void ended.then(() => {
      process.off('exit', kill);
      this.#add(-1);
    });
  }

  #add(change: number): void {
    Atomics.add(new Int32Array(this.#count), 0, change);
  }
}
