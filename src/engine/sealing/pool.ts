/** The sealing pool: one thread per spare core, started on first use. */
import { availableParallelism } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Opened, OpenJob } from '../../messaging/receiving/open.ts';
import type { SealJob } from '../../messaging/sending/outgoing.ts';
import type { SealedCopy } from '../../protocol/envelope-form.ts';
import type { SealingFunctions } from './jobs.ts';

const MAX_THREADS = 4;
/**
 * Of a thread. A copy is short-lived garbage, most of it memory outside of V8's heap that stays allocated until the next collection of
 * the young generation. Two threads need 100 MB less than with V8's default. A smaller one is collected more often, and each collection
 * waits for threads of V8 (bench/sealing.ts).
 */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };
/** Copies per job: large enough for a low overhead, small enough to share the work. */
const CHUNK = 32;

interface Thread {
  worker: Worker;
  rpc: BirpcReturn<SealingFunctions, Record<string, never>>;
  busy: number;
}

export class SealingPool {
  readonly #entry: URL;
  readonly #threads: Thread[] = [];
  readonly #most = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
  #closed = false;

  /** @param entry sealing/worker.ts, or its bundled form */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Seals one payload for any number of devices of an address; copies in the order of the keys. */
  async seal(job: SealJob): Promise<SealedCopy[]> {
    const parts = await Promise.all(
      chunks(job.recipientKeys).map((recipientKeys) =>
        this.#run((rpc) => rpc.seal({ ...job, recipientKeys })),
      ),
    );
    return parts.flat();
  }

  /** Opens copies; null for each failure. */
  async open(jobs: OpenJob[]): Promise<Opened[]> {
    const parts = await Promise.all(chunks(jobs).map((part) => this.#run((rpc) => rpc.open(part))));
    return parts.flat();
  }

  /** Terminates the threads and their jobs. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  async #run<T>(call: (rpc: Thread['rpc']) => Promise<T>): Promise<T> {
    const thread = this.#pick();
    thread.busy++;
    try {
      return await call(thread.rpc);
    } finally {
      thread.busy--;
    }
  }

  #pick(): Thread {
    if (this.#closed) throw new Error('the sealing pool is closed');
    const idlest = this.#threads.toSorted((a, b) => a.busy - b.busy)[0];
    if (idlest && (idlest.busy === 0 || this.#threads.length >= this.#most)) return idlest;
    return this.#start();
  }

  #start(): Thread {
    const worker = new Worker(this.#entry, { resourceLimits: THREAD_LIMITS });
    const rpc = createBirpc<SealingFunctions, Record<string, never>>(
      {},
      { post: (message) => worker.postMessage(message), on: (listener) => worker.on('message', listener) },
    );
    const thread: Thread = { worker, rpc, busy: 0 };
    const drop = (reason: Error) => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      rpc.$close(reason);
    };
    worker.once('error', (error) => drop(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', () => drop(new Error('a sealing thread ended')));
    this.#threads.push(thread);
    return thread;
  }
}

function chunks<T>(items: T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += CHUNK) parts.push(items.slice(start, start + CHUNK));
  return parts;
}
