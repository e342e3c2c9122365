/**
 * Envelopes and the queues in which they wait.
 *
 * Made for millions of rows: integer keys, and rows in the order of arrival. What the hot path touches is
 * `envelope` (appended; found again by hash), `sealed` (appended) and `delivery` (appended to one queue).
 * These three declare no foreign keys: the operations keep them together, and checking each would cost a
 * look-up for every row that comes and goes.
 */
export const mail = `
-- That an envelope was accepted. Outlives its acknowledgement, so that a retry delivers nothing twice.
CREATE TABLE envelope (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hash        BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
  accepted_at INTEGER NOT NULL,
  size        INTEGER NOT NULL,  -- of the ciphertext, in bytes
  pending     INTEGER NOT NULL   -- queues that still hold it
) STRICT;

-- Its body, once, however many queues hold it; gone with the last of them.
CREATE TABLE sealed (
  envelope_id   INTEGER PRIMARY KEY,
  account_id    INTEGER NOT NULL, -- the recipient
  sender        BLOB    NOT NULL,
  via           TEXT    NOT NULL,
  as_request    INTEGER NOT NULL,
  recipient_key BLOB,
  ephemeral_key BLOB    NOT NULL,
  nonce         BLOB    NOT NULL,
  ciphertext    BLOB    NOT NULL,
  group_id      TEXT,             -- of a copy that was posted to a group: the group's public id
  network       BLOB              -- where it was sent from: a hash under a key that the process alone knows, or null
) STRICT;

CREATE TABLE delivery (
  device      INTEGER NOT NULL,
  envelope_id INTEGER NOT NULL,
  PRIMARY KEY (device, envelope_id)
) STRICT, WITHOUT ROWID;

-- What waits in a queue, by who takes up the room: an address (20 bytes), the programs of an address (a byte more), a
-- network (16). So one sender or one network never takes all of it. A row goes with the last envelope that it counts.
CREATE TABLE queue_share (
  device    INTEGER NOT NULL,
  holder    BLOB    NOT NULL,
  envelopes INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  PRIMARY KEY (device, holder)
) STRICT, WITHOUT ROWID;
`;
