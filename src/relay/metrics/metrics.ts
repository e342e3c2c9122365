/**
 * The relay's metrics. A label's values are from lists of our own (routes, statuses, codes), never from a caller:
 * no id, handle, address or name is in a metric.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ProblemCode } from '../../protocol/problems.ts';
import type { Transfers } from '../blobs/transfers.ts';
import type { GroupPostOutcome } from '../store/group-records.ts';
import type { AcceptOutcome } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** The result of an envelope. Refused ones are counted by the reason. */
export type EnvelopeOutcome =
  | AcceptOutcome['status']
  | Extract<GroupPostOutcome, { status: 'stored' }>['outcomes'][number]['status']
  | ProblemCode;

/** Seconds. The last ones are for open polls. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Envelopes. */
const FLUSH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** The counters of one relay, in its own registry. */
export class RelayMetrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests = this.#counter(
    'waxwing_http_requests_total',
    'Answered requests.',
    'route',
    'method',
    'status',
  );
  readonly durations = new Histogram({
    name: 'waxwing_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer. Inbox calls wait for mail, so they are long.',
    labelNames: ['route', 'method'],
    buckets: DURATION_BUCKETS,
    registers: this.#registers,
  });
  readonly problems = this.#counter(
    'waxwing_http_problems_total',
    'Refused requests, by the code of the problem, rate_limited included.',
    'code',
  );
  readonly malformed = this.#counter(
    'waxwing_http_malformed_total',
    'Connections with malformed or late HTTP.',
  );
  readonly envelopes = this.#counter(
    'waxwing_envelopes_total',
    'Sent envelopes: accepted, duplicate, or the reason of the refusal.',
    'outcome',
  );
  readonly envelopeBytes = this.#counter('waxwing_envelope_bytes_total', 'Accepted ciphertext, in bytes.');
  readonly acknowledged = this.#counter(
    'waxwing_acknowledged_total',
    'Envelopes that a device acknowledged.',
  );
  readonly flushes = new Histogram({
    name: 'waxwing_flush_envelopes',
    help: 'Sent envelopes that one commit to PostgreSQL contained.',
    buckets: FLUSH_BUCKETS,
    registers: this.#registers,
  });

  readonly blobBytes = this.#counter(
    'waxwing_blob_bytes_total',
    'Bytes of stored blobs, and of requested blobs.',
    'direction',
  );

  /** Gauges of the relay's state, read on request. */
  watch(store: Store, waiters: { readonly size: number }, transfers: Transfers): void {
    this.#gauge(
      'waxwing_blob_transfers',
      'Current uploads of parts, and downloads of blobs.',
      () => transfers.size,
    );
    this.#gauge('waxwing_blobs_bytes', 'Counted size of all blobs.', () => store.storedBlobBytes());
    this.#gauge('waxwing_held_polls', 'Open inbox calls.', () => waiters.size);
    this.#gauge(
      'waxwing_write_queue_bytes',
      'Bytes that wait to be written.',
      () => store.measure().queuedBytes,
    );
    this.#gauge(
      'waxwing_database_bytes',
      'The database with its write-ahead log.',
      () => store.measure().databaseBytes,
    );
    new Counter({
      name: 'waxwing_commits_total',
      help: 'Committed and synced transactions.',
      registers: this.#registers,
      collect() {
        this.reset();
        this.inc(store.measure().commits);
      },
    });
  }

  /** Counts one refused envelope. */
  countEnvelope(outcome: EnvelopeOutcome): void {
    this.envelopes.inc({ outcome });
  }

  /** Counts the outcomes of submitted envelopes, and the ciphertexts of new ones: once for each outcome, because a counter is slow. */
  countEnvelopes(
    outcomes: readonly { status: EnvelopeOutcome }[],
    envelopes: readonly { ciphertext: Uint8Array }[],
  ): void {
    const counts = new Map<EnvelopeOutcome, number>();
    let bytes = 0;
    for (const [index, { status }] of outcomes.entries()) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 'accepted') bytes += envelopes[index]?.ciphertext.length ?? 0;
    }
    for (const [outcome, count] of counts) this.envelopes.inc({ outcome }, count);
    this.envelopeBytes.inc(bytes);
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  #gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      async collect() {
        this.set(await read());
      },
    });
  }
}

/** The same store, with counters for posts to groups and acknowledged mail. The route of envelopes counts them itself. */
export function countingStore(store: Store, metrics: RelayMetrics): Store {
  return {
    ...store,
    async acceptGroupPost(post) {
      const outcome = await store.acceptGroupPost(post);
      if (outcome.status === 'refused') metrics.countEnvelope(outcome.reason);
      if (outcome.status === 'stored') metrics.countEnvelopes(outcome.outcomes, post.envelopes);
      return outcome;
    },
    async acknowledge(queue, ids) {
      const count = await store.acknowledge(queue, ids);
      metrics.acknowledged.inc(count);
      return count;
    },
  };
}
