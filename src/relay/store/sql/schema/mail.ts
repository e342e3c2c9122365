/**
 * Envelopes and their queues.
 *
 * Designed for millions of rows: integer keys, and rows in the order of arrival. The hot path uses `envelope`
 * (appended; found again by hash, in SQLite by sqlite/hash-index.ts), `sealed` (appended) and `delivery` (appended to
 * one queue). These tables declare no foreign keys: the operations keep them consistent, and each check would cost a
 * look-up for every inserted and deleted row.
 *
 * All have the recipient's bucket (queue-keys.ts), and none refers to a table without it. So a database of several
 * nodes can be distributed by bucket.
 */
import type { ColumnTypes } from './types.ts';

export const mail = (types: ColumnTypes): string => `
-- Accepted envelopes. A row remains after the acknowledgement, so that a retry delivers nothing twice, except beyond a rate for each
-- recipient (sealed.is_forgotten).
CREATE TABLE envelope (
  id          ${types.mailKey},
  bucket      ${types.integer} NOT NULL,
  hash        ${types.bytes} NOT NULL CHECK (length(hash) = 32),
  accepted_at ${types.integer} NOT NULL,
  size        ${types.integer} NOT NULL, -- of the ciphertext, in bytes
  -- Number of queues that contain it.
  pending     ${types.integer} NOT NULL${types.uniqueHash}${types.keyedInBucket('id')}
)${types.inOrder};

-- Its body, stored once for all of its queues, and deleted with its last delivery.
CREATE TABLE sealed (
  envelope_id   ${types.keyOfMail},
  bucket        ${types.integer} NOT NULL,
  account_id    ${types.integer} NOT NULL, -- the recipient
  sender        ${types.bytes} NOT NULL,
  via           ${types.text} NOT NULL,
  as_request    ${types.integer} NOT NULL,
  is_forgotten  ${types.integer} NOT NULL, -- 1: its envelope row is deleted with this one
  recipient_key ${types.bytes},
  ephemeral_key ${types.bytes} NOT NULL,
  nonce         ${types.bytes} NOT NULL,
  ciphertext    ${types.bytes} NOT NULL,
  group_id      ${types.text},             -- public id of the group, if it was posted to one
  bot_id        ${types.text},             -- public id of the group token, if one posted it
  bot_name      ${types.text},             -- name of that token at that time
  network       ${types.bytes} -- keyed hash of the sender's network (the key is only in memory); or null
  ${types.keyedInBucket('envelope_id')}
)${types.inOrder};

CREATE TABLE delivery (
  device      ${types.integer} NOT NULL,
  envelope_id ${types.integer} NOT NULL,
  bucket      ${types.integer} NOT NULL,
  PRIMARY KEY (device, envelope_id, bucket)
)${types.byKey};

-- Size of the queue of a device. The row exists as long as the device. Accepting mail and deleting a queue both lock it.
CREATE TABLE queue (
  device    ${types.integer} NOT NULL,
  bucket    ${types.integer} NOT NULL,
  envelopes ${types.integer} NOT NULL,
  bytes     ${types.integer} NOT NULL,
  PRIMARY KEY (device, bucket)
)${types.byKey};

-- The same for each holder: an address (20 bytes), the programs of an address (a byte more), or a network (16), so that no sender
-- or network can fill a queue. A row is deleted with its last envelope.
CREATE TABLE queue_share (
  device    ${types.integer} NOT NULL,
  holder    ${types.bytes} NOT NULL,
  bucket    ${types.integer} NOT NULL,
  envelopes ${types.integer} NOT NULL,
  bytes     ${types.integer} NOT NULL,
  PRIMARY KEY (device, holder, bucket)
)${types.byKey};
`;
