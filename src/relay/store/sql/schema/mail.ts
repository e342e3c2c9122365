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
-- That an envelope was accepted. Outlives its acknowledgement, so that a retry delivers nothing twice; beyond a rate for each
-- recipient it does not (sealed.is_forgotten).
CREATE TABLE envelope (
  id          ${types.mailKey},
  bucket      ${types.integer} NOT NULL,
  hash        ${types.bytes} NOT NULL CHECK (length(hash) = 32),
  accepted_at ${types.integer} NOT NULL,
  size        ${types.integer} NOT NULL, -- of the ciphertext, in bytes
  -- Number of queues that still contain it.
  pending     ${types.integer} NOT NULL${types.uniqueHash}${types.keyedInBucket('id')}
)${types.inOrder};

-- Its body, once, however many queues hold it; gone with the last of them.
CREATE TABLE sealed (
  envelope_id   ${types.keyOfMail},
  bucket        ${types.integer} NOT NULL,
  account_id    ${types.integer} NOT NULL, -- the recipient
  sender        ${types.bytes} NOT NULL,
  via           ${types.text} NOT NULL,
  as_request    ${types.integer} NOT NULL,
  is_forgotten  ${types.integer} NOT NULL, -- 1: its envelope row goes with this one
  recipient_key ${types.bytes},
  ephemeral_key ${types.bytes} NOT NULL,
  nonce         ${types.bytes} NOT NULL,
  ciphertext    ${types.bytes} NOT NULL,
  group_id      ${types.text},             -- of a copy that was posted to a group: the group's public id
  bot_id        ${types.text},             -- of a copy that a group token posted: the token's public id
  bot_name      ${types.text},             -- and its name at that time, which outlives it
  network       ${types.bytes} -- hash of the sender's network, under a key in this process's memory; or null
  ${types.keyedInBucket('envelope_id')}
)${types.inOrder};

CREATE TABLE delivery (
  device      ${types.integer} NOT NULL,
  envelope_id ${types.integer} NOT NULL,
  bucket      ${types.integer} NOT NULL,
  PRIMARY KEY (device, envelope_id, bucket)
)${types.byKey};

-- What waits in the queue of a device. It comes and goes with the device: mail and the end of its queue meet at this row.
CREATE TABLE queue (
  device    ${types.integer} NOT NULL,
  bucket    ${types.integer} NOT NULL,
  envelopes ${types.integer} NOT NULL,
  bytes     ${types.integer} NOT NULL,
  PRIMARY KEY (device, bucket)
)${types.byKey};

-- The same by who takes up the room: an address (20 bytes), the programs of an address (a byte more), a network (16). So
-- one sender or one network never takes all of it. A row goes with the last envelope that it counts.
CREATE TABLE queue_share (
  device    ${types.integer} NOT NULL,
  holder    ${types.bytes} NOT NULL,
  bucket    ${types.integer} NOT NULL,
  envelopes ${types.integer} NOT NULL,
  bytes     ${types.integer} NOT NULL,
  PRIMARY KEY (device, holder, bucket)
)${types.byKey};
`;
