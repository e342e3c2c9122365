/**
 * What a relay takes at most, unless its operator says otherwise. `GET /me` tells a client the real figures.
 */
import { z } from 'zod';

const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;
const count = z.number().int().positive();

export const Limits = z
  .object({
    payloadBytes: count.describe('Padded payload inside one envelope, in bytes.'),
    bodyBytes: count.describe('Request body, in bytes.'),
    batchEnvelopes: count.describe('Envelopes in one `POST /envelopes`.'),
    groupEnvelopes: count.describe('Envelopes in one `POST /groups/:id/envelopes`.'),
    queueEnvelopes: count.describe('Envelopes that wait for one device.'),
    queueBytes: count.describe('Bytes of ciphertext that wait for one device.'),
    retentionSeconds: count.describe(
      'How long an envelope waits to be acknowledged, and how long its id is remembered, in seconds.',
    ),
  })
  .meta({ id: 'Limits', description: 'What this relay takes at most.' });
export type Limits = z.infer<typeof Limits>;

export const DEFAULT_LIMITS: Limits = {
  payloadBytes: 65_536,
  bodyBytes: 16 * MEBIBYTE,
  batchEnvelopes: 500,
  groupEnvelopes: 5_000,
  queueEnvelopes: 10_000,
  queueBytes: 256 * MEBIBYTE,
  retentionSeconds: 30 * DAY_SECONDS,
};

/** The longest that `GET /inbox` is held open, in seconds. */
export const MAX_WAIT_SECONDS = 30;
/** Envelopes in one answer of `GET /inbox`: unless asked, and at most. */
export const INBOX_PAGE = { default: 100, most: 500 } as const;
/** Ids in one `POST /inbox/ack`. */
export const MAX_ACK_IDS = 1_000;
/** Entries in one answer of a directory search: unless asked, and at most. */
export const DIRECTORY_PAGE = { default: 20, most: 50 } as const;
/** Invitations into one group that wait to be taken. */
export const MAX_INVITATIONS = 1_000;
