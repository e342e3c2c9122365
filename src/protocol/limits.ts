/**
 * What a relay takes at most, unless its operator says otherwise. `GET /me` tells a client the real figures.
 */
import { z } from 'zod';
import { MOST_BLOB_BYTES } from './blob/layout.ts';
import { MOST_ENVELOPE_OVERHEAD } from './envelope.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const DAY_SECONDS = 24 * 3600;
const count = z.number().int().positive();

export const Limits = z
  .object({
    payloadBytes: count.describe('Padded payload inside one envelope, in bytes.'),
    bodyBytes: count.describe(
      'Body of a call that sends envelopes, in bytes. Those of other calls are smaller.',
    ),
    batchEnvelopes: count.describe('Envelopes in one `POST /envelopes`.'),
    groupEnvelopes: count.describe('Envelopes in one `POST /groups/:id/envelopes`.'),
    queueEnvelopes: count.describe('Envelopes that wait for one device.'),
    queueBytes: count.describe('Bytes of ciphertext that wait for one device.'),
    blobBytes: count.max(MOST_BLOB_BYTES).describe('One blob, in bytes: the file with padding and tags.'),
    accountBlobBytes: count.describe('All blobs that an account has a claim to, in bytes.'),
    retentionSeconds: count.describe(
      'How long an envelope waits to be acknowledged, and how long its id is remembered, in seconds.',
    ),
  })
  .meta({ id: 'Limits', description: 'What this relay takes at most.' });
export type Limits = z.infer<typeof Limits>;

export const DEFAULT_LIMITS: Limits = {
  payloadBytes: 65_536,
  bodyBytes: 4 * MEBIBYTE,
  batchEnvelopes: 500,
  groupEnvelopes: 5_000,
  queueEnvelopes: 10_000,
  queueBytes: 256 * MEBIBYTE,
  blobBytes: 100 * MEBIBYTE,
  accountBlobBytes: 2048 * MEBIBYTE,
  retentionSeconds: 30 * DAY_SECONDS,
};

/** What the body of a call may hold. More is refused before anything is made of it. */
export interface BodyLimit {
  bytes: number;
  /** Objects, lists, texts, numbers and words of JSON, in all. */
  values: number;
}

/** The body of a call that says nothing else, such as a login. */
export const SMALL_BODY: BodyLimit = { bytes: 4 * KIBIBYTE, values: 32 };
/** One entry of a roster, with a password to tell. */
export const ROSTER_BODY: BodyLimit = { bytes: 32 * KIBIBYTE, values: 32 };
/** The entries with which a group begins. */
export const FOUND_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 32 };
/** A device list of sixteen devices with their seal keys and post-quantum keys. */
export const DEVICES_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 1_000 };
/** A question about the device lists of 200 addresses. */
export const HISTORIES_BODY: BodyLimit = { bytes: 32 * KIBIBYTE, values: 1_000 };
/** As many digests as one question about post-quantum keys may name. */
export const PQ_KEYS_BODY: BodyLimit = { bytes: 64 * KIBIBYTE, values: 1_010 };
/** As many ids as one acknowledgement may name, each as long as an id may be. */
export const ACK_BODY: BodyLimit = { bytes: 160 * KIBIBYTE, values: 1_100 };

/** No relay can keep a client from erasing what is old by telling of a longer retention than this, in seconds. */
const MOST_RETENTION_SECONDS = 90 * DAY_SECONDS;

/** The least that a call has to hold to bring one envelope, in bytes: in base64url, with all that stands beside. */
export function leastBodyBytes(payloadBytes: number): number {
  return 2 * (payloadBytes + MOST_ENVELOPE_OVERHEAD);
}

/**
 * Limits as a client goes by them, whatever a relay tells: never above what this version of the API has, and with room
 * for one envelope in a body.
 */
export function usableLimits(told: Limits): Limits {
  const most = DEFAULT_LIMITS;
  const payloadBytes = Math.min(told.payloadBytes, most.payloadBytes);
  return {
    ...told,
    payloadBytes,
    bodyBytes: Math.min(Math.max(told.bodyBytes, leastBodyBytes(payloadBytes)), most.bodyBytes),
    batchEnvelopes: Math.min(told.batchEnvelopes, most.batchEnvelopes),
    groupEnvelopes: Math.min(told.groupEnvelopes, most.groupEnvelopes),
    retentionSeconds: Math.min(told.retentionSeconds, MOST_RETENTION_SECONDS),
  };
}

export const Quotas = z
  .object({
    devices: count.describe('Devices in a device list.'),
    apiKeys: count.describe('API keys that work.'),
    groups: count.describe('Groups that the account is a member of.'),
    groupTokens: count.describe('Tokens that work, of all groups of the account together.'),
    sessions: count.describe('Sessions of one device, and of the wallet. One more ends the oldest of them.'),
    groupMembers: count.describe('Members of one group.'),
    invitations: count.describe('Invitation codes of the account that can still be spent.'),
  })
  .meta({ id: 'Quotas', description: 'How many of each an account may have at a time.' });
export type Quotas = z.infer<typeof Quotas>;

export const DEFAULT_QUOTAS: Quotas = {
  devices: 16,
  apiKeys: 50,
  groups: 500,
  groupTokens: 50,
  sessions: 8,
  groupMembers: 5_000,
  invitations: 20,
};

/** The longest that `GET /inbox` is held open, in seconds. */
export const MAX_WAIT_SECONDS = 30;
/** Envelopes in one answer of `GET /inbox`: unless asked, and at most. */
export const INBOX_PAGE = { default: 100, most: 500 } as const;
/** Ids in one `POST /inbox/ack`. */
export const MAX_ACK_IDS = 1_000;
/** Entries in one answer of a list or a search: unless asked, and at most. */
export const LIST_PAGE = { default: 20, most: 50 } as const;

/** Device lists in one answer about one address. */
export const HISTORY_PAGE = 50;
/** Addresses in one question about many. */
export const MOST_HISTORY_WANTS = 200;
/** Device lists in one answer about many addresses, all together. */
export const MOST_HISTORY_LISTS = 200;
/** Post-quantum keys in one question. */
export const MOST_PQ_KEYS = 1_000;
/** The highest number of a device list. */
export const LAST_SEQUENCE = 0xffff_ffff;
