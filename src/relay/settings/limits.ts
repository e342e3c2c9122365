/** All limits of a relay: each with its schema, for the operator's file, and its default. */
import { z } from 'zod';
import {
  defaultsOf,
  LIMITS,
  type LimitRow,
  leastBodyBytes,
  MAX_WAIT_SECONDS,
  QUOTAS,
  schemasOf,
} from '../../protocol/limits.ts';
import { LIMIT_FAULTS } from '../operator/sentences.ts';
import { DROP_DELAY } from '../rules/blobs.ts';
import type { QueueLimits } from '../rules/queue-share.ts';

const MEBIBYTE = 1024 * 1024;
/** The largest page that clients read. In base64url, with its other fields, a page has half as much again. */
const MAX_INBOX_BYTES = 12 * MEBIBYTE;
/**
 * A body of this size is checked and parsed in two pieces of about 20 ms, during which no other call is answered.
 * In bytes.
 */
const MAX_BODY_BYTES = 8 * MEBIBYTE;
/** Deleted bytes remain longer than this, so that no call still uses them. In milliseconds. */
const MAX_PART_TIMEOUT = DROP_DELAY - 60_000;

/** The longest timer of Node, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Shorter times end calls of honest clients on slow networks. In milliseconds. */
const LEAST_TIMEOUT = 1_000;
/** The padded payload of a short signed message, in bytes. */
const LEAST_PAYLOAD_BYTES = 1_024;

const count = z.number().int().positive();
const timer = count.max(LONGEST_TIMER, LIMIT_FAULTS.timer_long);
const timeout = timer.min(LEAST_TIMEOUT, LIMIT_FAULTS.timeout_short);
const Share = z.number().positive().max(1);
const Rate = z.strictObject({ burst: count, perSecond: z.number().positive() });

const limit = (value: number, schema = count) => ({ default: value, schema });
const share = (value: number) => ({ default: value, schema: Share });
const rate = (burst: number, perSecond: number) => ({ default: { burst, perSecond }, schema: Rate });

/** Limits under one name. An operator may change one of them and leave out the others. */
function group<Rows extends Readonly<Record<string, LimitRow>>>(rows: Rows) {
  return { default: defaultsOf(rows), schema: z.strictObject(schemasOf(rows)) };
}

const ROWS = {
  ...LIMITS,
  payloadBytes: limit(
    LIMITS.payloadBytes.default,
    count.min(LEAST_PAYLOAD_BYTES, LIMIT_FAULTS.payload_short),
  ),
  bodyBytes: limit(LIMITS.bodyBytes.default, count.max(MAX_BODY_BYTES, LIMIT_FAULTS.body_long)),
  /** The most of each that an account may have at a time. */
  quotas: group(QUOTAS),
  /** The time limit for the headers, in milliseconds. */
  headersTimeout: limit(10_000, timeout),
  /** The time limit for headers with body, in milliseconds. */
  requestTimeout: limit(30_000, timeout),
  /**
   * The longest time without traffic on a connection, in milliseconds: a client that does not read its answer is
   * disconnected. Longer than an open poll, which has no traffic either.
   */
  stalledTimeout: limit(75_000, timer.min(MAX_WAIT_SECONDS * 1000 + 1, LIMIT_FAULTS.stalled_short)),
  maxConnections: limit(20_000),
  /** The most open connections of one network address. */
  connectionsByAddress: limit(1_000),
  /** The most unsigned login challenges of one network address. The next one replaces the oldest. */
  challenges: limit(32),
  /** The lifetime of the audit log's rows, in seconds. */
  auditSeconds: limit(400 * 24 * 3600),
  /** The most simultaneous inbox calls of one credential. */
  heldPolls: limit(8),
  /** The share of one sender or network in a device's queue, and in the rate of mail to an address. */
  shares: group({ sender: share(1 / 4), network: share(1 / 2) }),
  /** The approximate ciphertext in one answer of the inbox, in bytes. */
  inboxBytes: limit(4 * MEBIBYTE, count.max(MAX_INBOX_BYTES)),
  /** The most bytes of all blobs at the relay. */
  storedBlobBytes: limit(100 * 1024 * MEBIBYTE),
  /** The longest transfer of a part of a blob, in either direction, in milliseconds. */
  blobPartTimeout: limit(300_000, timeout.max(MAX_PART_TIMEOUT)),
  /** The most data waiting to be written, in bytes. Beyond, calls are answered 503. */
  writeQueueBytes: limit(64 * MEBIBYTE),
  rates: group({
    /** Calls with one credential. */
    credential: rate(1_000, 50),
    /** Calls from one network address. */
    address: rate(4_000, 400),
    /** Calls without a credential, which are logins, from one network address. */
    login: rate(120, 2),
    /**
     * New computers waiting to be linked, from one network address; ten times as many from the network around it.
     */
    link: rate(10, 10 / 3600),
    /**
     * Joins of one open group from the network around an address: its chain has room for 40,000 entries in total.
     */
    openJoin: rate(200, 200 / 86_400),
    /** Envelopes to one address, from all senders together. */
    recipient: rate(10_000, 100),
    /**
     * Envelopes to one address whose ids outlive the acknowledgement. Beyond, each id is deleted with its envelope: otherwise an
     * account could fill the disk with ids by sending to itself.
     */
    remembered: rate(20_000, 10_000 / 86_400),
  }),
};

export type RelayLimits = { [Name in keyof typeof ROWS]: (typeof ROWS)[Name]['default'] };

export const DEFAULT_RELAY_LIMITS: RelayLimits = defaultsOf(ROWS);

/** All limits. Unknown ones are refused. */
export const AllLimits = z
  .strictObject(schemasOf(ROWS))
  .refine(({ bodyBytes, payloadBytes }) => bodyBytes >= leastBodyBytes(payloadBytes), {
    path: ['bodyBytes'],
    message: LIMIT_FAULTS.body_short,
  })
  // Node's server refuses it.
  .refine(
    ({ headersTimeout, requestTimeout, blobPartTimeout }) =>
      headersTimeout <= Math.max(requestTimeout, blobPartTimeout),
    { path: ['headersTimeout'], message: LIMIT_FAULTS.headers_long },
  );

/** The limits of a device's queue. */
export function queueLimits({ queueEnvelopes, queueBytes, shares }: RelayLimits): QueueLimits {
  return { queueEnvelopes, queueBytes, shares };
}
