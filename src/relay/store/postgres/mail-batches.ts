/**
 * Batches of mail: mail that arrives during a commit shares the next one, and its cost. One commit at a time: two
 * would often have a recipient in common, and one of them would have to be repeated.
 */
import { type AcceptOutcome, type EnvelopesToAccept, StoreUnavailable } from '../records.ts';

/** The approximate number of envelopes in one commit. */
const MAX_ENVELOPES = 512;

interface Waiting {
  request: EnvelopesToAccept;
  bytes: number;
  resolve(outcomes: AcceptOutcome[]): void;
  reject(error: unknown): void;
}

export class MailBatches {
  readonly #accept: (requests: EnvelopesToAccept[]) => Promise<AcceptOutcome[][]>;
  readonly #mostBytes: number;
  #waiting: Waiting[] = [];
  #isUnderWay = false;
  /** Waiting bytes. */
  bytes = 0;

  /** @param accept makes one commit @param mostBytes the most waiting bytes */
  constructor(accept: (requests: EnvelopesToAccept[]) => Promise<AcceptOutcome[][]>, mostBytes: number) {
    this.#accept = accept;
    this.#mostBytes = mostBytes;
  }

  /** Resolves when it is durable. @throws StoreUnavailable if too much waits; errors of the commit */
  add(request: EnvelopesToAccept, bytes: number): Promise<AcceptOutcome[]> {
    if (this.bytes + bytes > this.#mostBytes) {
      return Promise.reject(new StoreUnavailable('too much is waiting to be written'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<AcceptOutcome[]>();
    this.#waiting.push({ request, bytes, resolve, reject });
    this.bytes += bytes;
    // After this turn of the event loop, so that requests that were read together are written together.
    if (!this.#isUnderWay && this.#waiting.length === 1) setImmediate(() => void this.#flush());
    return promise;
  }

  async #flush(): Promise<void> {
    const batch = this.#isUnderWay ? [] : this.#nextBatch();
    if (batch.length === 0) return;
    this.#isUnderWay = true;
    try {
      await this.#commit(batch);
    } finally {
      this.#isUnderWay = false;
      setImmediate(() => void this.#flush());
    }
  }

  /** Commits the whole batch. If that fails, commits each request by itself, so that only the bad one fails. */
  async #commit(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#accept(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => void resolve(outcomes[index] ?? []));
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailable) {
        for (const { reject } of batch) reject(error);
      } else for (const each of batch) await this.#commit([each]);
    }
  }

  #nextBatch(): Waiting[] {
    let count = 0;
    for (
      let envelopes = 0;
      count < this.#waiting.length && (count === 0 || envelopes < MAX_ENVELOPES);
      count++
    ) {
      envelopes += this.#waiting[count]?.request.envelopes.length ?? 0;
    }
    const batch = this.#waiting.splice(0, count);
    for (const { bytes } of batch) this.bytes -= bytes;
    return batch;
  }
}
