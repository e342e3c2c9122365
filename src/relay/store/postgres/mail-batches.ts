/**
 * Batches of mail: mail that arrives during a commit shares a later one, and its cost. Simultaneous commits have no recipient in
 * common: they would change the same rows, and one of them would have to be repeated.
 */
import { type AcceptOutcome, type EnvelopesToAccept, StoreUnavailable } from '../records.ts';
import { wireAddress } from '../sql/values.ts';

/** The approximate number of envelopes in one commit. */
const MAX_ENVELOPES = 512;
/** The approximate number of waiting envelopes that are considered for one commit: it may be planned in each turn of the event loop. */
const MAX_CONSIDERED = 4 * MAX_ENVELOPES;

interface Waiting {
  request: EnvelopesToAccept;
  bytes: number;
  recipients: ReadonlySet<string>;
  resolve(outcomes: AcceptOutcome[]): void;
  reject(error: unknown): void;
}

export interface MailBatchesOptions {
  /** Makes one commit. */
  accept(requests: EnvelopesToAccept[]): Promise<AcceptOutcome[][]>;
  /** The most waiting bytes. */
  maxBytes: number;
  /** The most simultaneous commits. */
  maxCommits: number;
}

export class MailBatches {
  readonly #options: MailBatchesOptions;
  #waiting: Waiting[] = [];
  /** Commits under way. */
  readonly #commits = new Set<readonly Waiting[]>();
  #isPlanned = false;
  /** Waiting bytes. */
  bytes = 0;

  constructor(options: MailBatchesOptions) {
    this.#options = options;
  }

  /** Resolves when it is durable. @throws StoreUnavailable if too much waits; errors of the commit */
  add(request: EnvelopesToAccept, bytes: number): Promise<AcceptOutcome[]> {
    if (this.bytes + bytes > this.#options.maxBytes) {
      return Promise.reject(new StoreUnavailable('too much is waiting to be written'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<AcceptOutcome[]>();
    const recipients = new Set(request.envelopes.map(({ to }) => wireAddress(to)));
    this.#waiting.push({ request, bytes, recipients, resolve, reject });
    this.bytes += bytes;
    this.#plan();
    return promise;
  }

  /** Begins commits after this turn of the event loop, so that requests that were read together are written together. */
  #plan(): void {
    if (this.#isPlanned || this.#commits.size >= this.#options.maxCommits) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      const batch = this.#nextBatch();
      if (batch.length > 0) void this.#run(batch);
    });
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#commits.add(batch);
    this.#plan();
    try {
      await this.#commit(batch);
    } finally {
      this.#commits.delete(batch);
      this.#plan();
    }
  }

  /** Commits the whole batch. If that fails, commits each request by itself, so that only the bad one fails. */
  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#options.accept(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => void resolve(outcomes[index] ?? []));
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailable) {
        for (const { reject } of batch) reject(error);
      } else for (const each of batch) await this.#commit([each]);
    }
  }

  /**
   * The next batch: requests in their order, without those for recipients of a commit under way or of an earlier request that
   * continues to wait. Beside other commits only if it has as many envelopes as they: small commits cost more than they save.
   */
  #nextBatch(): readonly Waiting[] {
    const underWay = [...this.#commits].flat();
    const enough = envelopesIn(underWay);
    // Few wait: without a look at each.
    if (this.#waiting.length < underWay.length && envelopesIn(this.#waiting) < enough) return [];
    const occupied = new Set(underWay.flatMap(({ recipients }) => [...recipients]));
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    let [count, envelopes, considered] = [0, 0, 0];
    for (const waiting of this.#waiting) {
      if (envelopes >= MAX_ENVELOPES || considered >= MAX_CONSIDERED) break;
      count++;
      considered += waiting.request.envelopes.length;
      if (waiting.recipients.isDisjointFrom(occupied)) {
        batch.push(waiting);
        envelopes += waiting.request.envelopes.length;
      } else {
        rest.push(waiting);
        for (const recipient of waiting.recipients) occupied.add(recipient);
      }
    }
    if (envelopesIn(batch) < enough) return [];
    this.#waiting.splice(0, count, ...rest);
    for (const { bytes } of batch) this.bytes -= bytes;
    return batch;
  }
}

function envelopesIn(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { request }) => sum + request.envelopes.length, 0);
}
