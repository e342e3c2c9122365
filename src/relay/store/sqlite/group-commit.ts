/**
 * Group commit: writes that wait at the same time share one transaction and one sync of the disk.
 *
 * The first write starts a flush. Writes that arrive during a flush wait, and half of them share the next one
 * (flush-size.ts), which starts as soon as this one has returned. So a single write waits for nothing, and under load many writes share the price of
 * a sync. The number of waiting writes is limited: beyond that, a write is refused at once.
 */

import { Worker } from 'node:worker_threads';
import { operatorFailureFrom } from '../../operator/failure.ts';
import { AccountGone, StoreUnavailable, sqliteCodeIn, TooManyChanges } from '../records.ts';
import { mostInFlush } from './flush-size.ts';
import { packMail, unpackOutcomes } from './packed-mail.ts';
import type {
  MailOperations,
  MailOutcomes,
  Operation,
  Outcome,
  StoreThreadData,
  WriterAnswer,
  WriterRequest,
} from './worker.ts';
import type { OperationArguments, OperationName, OperationResult } from './writer-operations.ts';

/** An operation failed by itself: a fault in the relay. */
export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  readonly code = sqliteCodeIn(this.message);
}

/** One request with mail. */
type MailArguments = OperationArguments<'acceptEnvelopes'>;
type FlushAnswer = Extract<WriterAnswer, { kind: 'committed' | 'not_committed' }>;

interface Waiting {
  name: OperationName;
  args: unknown[];
  bytes: number;
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

/** The smallest counted size of an operation, in bytes: so that many small ones are limited too. */
const LEAST_BYTES = 512;
/** The most bytes in one flush, so that no commit grows without limit. */
const FLUSH_BYTES = 4 * 1024 * 1024;

export interface GroupCommitOptions {
  worker: URL;
  /** The database file. */
  path: string;
  /** The most waiting writes, in bytes. */
  queueBytes: number;
  /** Called once if the writer failed: every later write is refused. */
  onBroken(reason: string): void;
}

export class GroupCommit {
  readonly #worker: Worker;
  readonly #options: GroupCommitOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #inFlight: Waiting[] | null = null;
  /** The number of writes in the flush that has just ended, 0 after a pause. */
  #answered = 0;
  #scheduled = false;
  #broken: string | null = null;
  #closing = false;
  /** The number of committed transactions. */
  commits = 0;

  private constructor(worker: Worker, options: GroupCommitOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: WriterAnswer) => this.#receive(message));
    // The log gets the reason, not a message, which may contain written values.
    worker.on('error', (error) => this.break(`the writer thread failed: ${error.constructor.name}`));
    worker.on('exit', () => {
      if (!this.#closing) this.break('the writer thread ended');
      this.#closed.resolve();
    });
  }

  /**
   * Starts the writer thread, which opens and migrates the database.
   * @throws Error with the reason why the database cannot be used
   */
  static async start(options: GroupCommitOptions): Promise<GroupCommit> {
    const workerData: StoreThreadData = { role: 'writer', path: options.path, entry: options.worker.href };
    const writer = new GroupCommit(new Worker(options.worker, { workerData }), options);
    try {
      await writer.#ready.promise;
      return writer;
    } catch (error) {
      writer.#closing = true;
      await writer.#worker.terminate();
      throw error;
    }
  }

  /** Bytes waiting for the next flush. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** The reason why writing is no longer possible, or null. */
  get broken(): string | null {
    return this.#broken;
  }

  /**
   * Runs one operation; resolves when it is durable.
   * @param bytes approximate size of its arguments
   * @throws StoreUnavailable, OperationFailed, TooManyChanges, AccountGone
   */
  run<N extends OperationName>(
    name: N,
    args: OperationArguments<N>,
    bytes = LEAST_BYTES,
  ): Promise<OperationResult<N>> {
    if (this.#broken !== null) return Promise.reject(new StoreUnavailable(this.#broken));
    if (this.#closing) return Promise.reject(new StoreUnavailable('the store is closing'));
    if (this.#waitingBytes + bytes > this.#options.queueBytes) {
      return Promise.reject(new StoreUnavailable('too much is waiting to be written'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ name, args, bytes, resolve, reject });
    this.#waitingBytes += bytes;
    this.#schedule();
    return promise as Promise<OperationResult<N>>;
  }

  /** Writes the waiting operations, closes the database and ends the thread. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#broken !== null) await this.#worker.terminate();
    else this.#closeIfIdle();
    await this.#closed.promise;
  }

  #closeIfIdle(): void {
    if (this.#closing && !this.#inFlight && this.#waiting.length === 0) this.#post({ kind: 'close' });
  }

  /** After this turn of the event loop, so that requests that were read together are written together. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#inFlight || this.#waiting.length === 0 || this.#broken !== null) return;
    const batch = this.#nextBatch();
    this.#inFlight = batch;
    this.#post({ kind: 'flush', operations: packed(batch) });
  }

  #nextBatch(): Waiting[] {
    const most = mostInFlush(this.#waiting.length, this.#answered);
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      if (count === most || (count > 0 && bytes + waiting.bytes > FLUSH_BYTES)) break;
      bytes += waiting.bytes;
      count++;
    }
    this.#waitingBytes -= bytes;
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const batch = this.#waiting;
    this.#waiting = [];
    return batch;
  }

  #post(request: WriterRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(message: WriterAnswer): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'unusable') this.#ready.reject(operatorFailureFrom(message.failure));
    else if (message.kind === 'broken') this.break(message.reason);
    else if (message.kind !== 'closed') this.#finishFlush(message);
  }

  #finishFlush(message: FlushAnswer): void {
    const batch = this.#inFlight ?? [];
    this.#inFlight = null;
    this.#answered = this.#waiting.length === 0 ? 0 : batch.length;
    if (message.kind === 'committed') {
      this.commits++;
      // Before the answers are sent, the disk already works on the next flush.
      this.#flush();
      const outcomes = unpacked(message.outcomes);
      for (const waiting of batch) settle(waiting, outcomes.next().value ?? undefined);
    } else {
      for (const waiting of batch) waiting.reject(new StoreUnavailable(message.reason));
      if (message.fatal) this.break(message.reason);
      else this.#flush();
    }
    this.#closeIfIdle();
  }

  /** Ends the writing for good: of waiting operations, too. */
  break(reason: string): void {
    if (this.#broken !== null) return;
    this.#broken = reason;
    this.#ready.reject(new Error(reason));
    for (const waiting of [...(this.#inFlight ?? []), ...this.#waiting]) {
      waiting.reject(new StoreUnavailable(reason));
    }
    this.#inFlight = null;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#closing) void this.#worker.terminate();
    this.#options.onBroken(reason);
  }
}

/** The operations in their order, with consecutive mail packed. */
function packed(batch: readonly Waiting[]): (Operation | MailOperations)[] {
  const operations: (Operation | MailOperations)[] = [];
  for (let start = 0; start < batch.length; ) {
    const { name, args } = batch[start] as Waiting;
    let end = start + 1;
    if (name === 'acceptEnvelopes') {
      while (batch[end]?.name === name) end++;
      const requests = batch.slice(start, end).flatMap((each) => (each.args as MailArguments)[0]);
      operations.push({ mail: packMail(requests) });
    } else operations.push({ name, args });
    start = end;
  }
  return operations;
}

/** The outcome of each operation. */
function* unpacked(outcomes: readonly (Outcome | MailOutcomes)[]): Generator<Outcome> {
  for (const outcome of outcomes) {
    if (!('mail' in outcome)) yield outcome;
    else {
      const ofEnvelopes = unpackOutcomes(outcome.mail);
      let begin = 0;
      for (const size of outcome.sizes) {
        begin += size;
        yield { value: [ofEnvelopes.slice(begin - size, begin)] };
      }
    }
  }
}

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  if (outcome && 'value' in outcome) waiting.resolve(outcome.value);
  else if (outcome && 'wait' in outcome) waiting.reject(new TooManyChanges(outcome.wait));
  else if (outcome && 'gone' in outcome) waiting.reject(new AccountGone());
  else waiting.reject(new OperationFailed(`${waiting.name}: ${outcome?.error ?? 'no outcome'}`));
}
