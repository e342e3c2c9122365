/**
 * Long reads: run on their own thread, one after the other and each account in its turn, so that the answering
 * thread stays free.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../fair-queue.ts';
import { type AccountKey, StoreUnavailable } from '../records.ts';
import type { LongReadAnswer, LongReadName, LongReadRequest, LongReads } from './long-reads-thread.ts';
import type { StoreThreadData } from './worker.ts';

export class LongReader {
  readonly #entry: URL;
  readonly #path: string;
  readonly #onDamage: (reason: string) => void;
  readonly #turns = new FairQueue();
  #worker: Worker | null = null;

  /**
   * @param entry of the store's threads
   * @param path the database file
   * @param onDamage called if a read finds that the file is damaged
   */
  constructor(entry: URL, path: string, onDamage: (reason: string) => void) {
    this.#onDamage = onDamage;
    this.#entry = entry;
    this.#path = path;
  }

  /**
   * Runs one read for an account. The first one starts the thread.
   * @throws ProblemError if too many wait; StoreUnavailable if the thread failed
   */
  run<N extends LongReadName>(
    by: AccountKey,
    name: N,
    ...args: Parameters<LongReads[N]>
  ): Promise<Awaited<ReturnType<LongReads[N]>>> {
    return this.#turns.run(by, async (): Promise<Awaited<ReturnType<LongReads[N]>>> => {
      const worker = this.#worker ?? this.#start();
      worker.postMessage({ name, args } satisfies LongReadRequest);
      const [answer] = (await once(worker, 'message').catch((error: unknown) => {
        throw new StoreUnavailable(`the reading thread failed: ${error}`);
      })) as [LongReadAnswer];
      if ('error' in answer && answer.damage !== null) {
        this.#onDamage(answer.damage);
        throw new StoreUnavailable(answer.damage);
      }
      if ('error' in answer) throw new Error(`${name}: ${answer.error}`);
      return answer.value as Awaited<ReturnType<LongReads[N]>>;
    });
  }

  /** Ends the thread. A running read gets no answer. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const workerData: StoreThreadData = { role: 'long reads', path: this.#path };
    const worker = new Worker(this.#entry, { workerData });
    worker.on('error', () => {
      this.#worker = null;
    });
    // The relay exits without waiting for it.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
