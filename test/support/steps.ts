/** Counts the steps of a function, so that its growth is a number that is the same on every machine. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * The steps of a function of one text, in its own thread: V8 counts the blocks of those functions alone that it
 * compiles while it counts, so the count has to begin before the code is loaded.
 */
export class StepCounter implements AsyncDisposable {
  readonly #worker: Worker;
  /** Rejects when the thread ends by an error: it answers no later count either. */
  readonly #failure: Promise<never>;

  /**
   * @param module the URL of the module that has the function
   * @param name of the function
   * @param folder the counted code; by default the folder of the module
   */
  constructor(module: URL, name: string, folder = new URL('.', module)) {
    const workerData = { module: module.href, name, folder: folder.href };
    this.#worker = new Worker(new URL('./steps-thread.ts', import.meta.url), { workerData });
    this.#failure = new Promise((_, reject) => {
      this.#worker.once('error', reject);
    });
    this.#failure.catch(() => undefined);
  }

  /** Number of code blocks that the function runs for a text, plus the characters that it searches. */
  async count(text: string): Promise<number> {
    this.#worker.postMessage(text);
    const [steps] = (await Promise.race([once(this.#worker, 'message'), this.#failure])) as [number];
    return steps;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
