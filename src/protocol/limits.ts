/** The default limits of a relay. `GET /me` reports the actual ones to a client. */
import { z } from 'zod';
import { MAX_BLOB_BYTES } from './blob/layout.ts';
import { MAX_ENVELOPE_OVERHEAD } from './envelope-form.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const DAY_SECONDS = 24 * 3600;
const count = z.number().int().positive();

/** A limit with its default. */
export interface LimitRow<Schema extends z.ZodType = z.ZodType> {
  readonly default: z.output<Schema>;
  readonly schema: Schema;
}
type LimitRows = Readonly<Record<string, LimitRow>>;

/** The schema of each limit in a table. */
export function schemasOf<Rows extends LimitRows>(rows: Rows) {
  return columnOf(rows, 'schema');
}

/** The default of each limit in a table. */
export function defaultsOf<Rows extends LimitRows>(rows: Rows) {
  return columnOf(rows, 'default');
}

function columnOf<Rows extends LimitRows, Column extends keyof LimitRow>(rows: Rows, column: Column) {
  const entries = Object.entries(rows).map(([name, row]) => [name, row[column]]);
  return Object.fromEntries(entries) as { [Name in keyof Rows]: Rows[Name][Column] };
}

function limit(value: number, description: string, schema = count): LimitRow<z.ZodNumber> {
  return { default: value, schema: schema.describe(description) };
}

export const LIMITS = {
  payloadBytes: limit(65_536, 'Padded payload of one envelope, in bytes.'),
  bodyBytes: limit(
    4 * MEBIBYTE,
    'Body of a call that sends envelopes, in bytes. Those of other calls are smaller.',
  ),
  batchEnvelopes: limit(500, 'Envelopes in one `POST /envelopes`.'),
  groupEnvelopes: limit(5_000, 'Envelopes in one `POST /groups/:id/envelopes`.'),
  queueEnvelopes: limit(10_000, 'Envelopes in the queue of one device.'),
  queueBytes: limit(256 * MEBIBYTE, 'Ciphertexts in the queue of one device, in bytes.'),
  blobBytes: limit(
    100 * MEBIBYTE,
    'One blob, in bytes: the file with padding and tags.',
    count.max(MAX_BLOB_BYTES),
  ),
  accountBlobBytes: limit(2048 * MEBIBYTE, 'All blobs of an account, in bytes.'),
  retentionSeconds: limit(
    30 * DAY_SECONDS,
    'The time for which an unacknowledged envelope and the id of each envelope are stored, in seconds.',
  ),
};

export const Limits = z
  .object(schemasOf(LIMITS))
  .meta({ id: 'Limits', description: 'The limits of this relay.' });
export type Limits = z.infer<typeof Limits>;

export const DEFAULT_LIMITS: Limits = defaultsOf(LIMITS);

/** The size limit of a call's body. Larger bodies are refused before they are parsed. */
export interface BodyLimit {
  bytes: number;
  /** Objects, lists, texts, numbers and literals of JSON, in total. */
  values: number;
}

/** The default limit of a body, such as that of a login. */
export const SMALL_BODY: BodyLimit = { bytes: 4 * KIBIBYTE, values: 32 };
/** One entry of a roster, with the hash of a password. */
export const ROSTER_BODY: BodyLimit = { bytes: 32 * KIBIBYTE, values: 32 };
/** The first entries of a group. */
export const FOUND_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 32 };
/** A device list of sixteen devices with their seal keys and post-quantum keys. */
export const DEVICES_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 1_000 };
/** A question about the device lists of 200 addresses. */
export const HISTORIES_BODY: BodyLimit = { bytes: 32 * KIBIBYTE, values: 1_000 };
/** The greatest number of digests in one question about post-quantum keys. */
export const PQ_KEYS_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 1_010 };
/** The greatest number of ids in one acknowledgement, each of the greatest length. */
export const ACK_BODY: BodyLimit = { bytes: 160 * KIBIBYTE, values: 1_100 };

/**
 * A limit for the announced retention, in seconds: otherwise a relay could stop clients from erasing old messages.
 */
const MAX_RETENTION_SECONDS = 90 * DAY_SECONDS;

/** The smallest body for one envelope, in bytes: the payload in base64url with all other fields. */
export function leastBodyBytes(payloadBytes: number): number {
  return 2 * (payloadBytes + MAX_ENVELOPE_OVERHEAD);
}

/**
 * Limits for a client, regardless of the announced ones: never above the maximum of this API version, and with room for one
 * envelope in a body.
 */
export function usableLimits(reported: Limits): Limits {
  const most = DEFAULT_LIMITS;
  const payloadBytes = Math.min(reported.payloadBytes, most.payloadBytes);
  return {
    ...reported,
    payloadBytes,
    bodyBytes: Math.min(Math.max(reported.bodyBytes, leastBodyBytes(payloadBytes)), most.bodyBytes),
    batchEnvelopes: Math.min(reported.batchEnvelopes, most.batchEnvelopes),
    groupEnvelopes: Math.min(reported.groupEnvelopes, most.groupEnvelopes),
    retentionSeconds: Math.min(reported.retentionSeconds, MAX_RETENTION_SECONDS),
  };
}

export const QUOTAS = {
  devices: limit(16, 'Devices in a device list.'),
  apiKeys: limit(50, 'API keys that work.'),
  groups: limit(500, 'Groups that the account is a member of.'),
  groupTokens: limit(50, 'Tokens that work, of all groups of the account together.'),
  sessions: limit(8, 'Sessions of one device, and of the wallet. One more ends the oldest of them.'),
  groupMembers: limit(5_000, 'Members of one group.'),
  invitations: limit(20, 'Invitation codes of the account that can still be spent.'),
};

export const Quotas = z
  .object(schemasOf(QUOTAS))
  .meta({ id: 'Quotas', description: 'How many of each an account may have at a time.' });
export type Quotas = z.infer<typeof Quotas>;

export const DEFAULT_QUOTAS: Quotas = defaultsOf(QUOTAS);

/** The longest wait of `GET /inbox`, in seconds. */
export const MAX_WAIT_SECONDS = 30;
/** Envelopes in one answer of `GET /inbox`: by default, and at most. */
export const INBOX_PAGE = { default: 100, most: 500 } as const;
/** Ids in one `POST /inbox/ack`. */
export const MAX_ACK_IDS = 1_000;
/** Entries in one answer of a list or a search: by default, and at most. */
export const LIST_PAGE = { default: 20, most: 50 } as const;

/** Device lists in one answer about one address. */
export const HISTORY_PAGE = 50;
/** Addresses in one question about several. */
export const MAX_HISTORY_WANTS = 200;
/** Device lists in one answer about several addresses, in total. */
export const MAX_HISTORY_LISTS = 200;
/** Post-quantum keys in one question. */
export const MAX_PQ_KEYS = 1_000;
/** The highest number of a device list. */
export const LAST_SEQUENCE = 0xffff_ffff;
