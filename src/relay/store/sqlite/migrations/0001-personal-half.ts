/**
 * Accounts, credentials, devices and mail.
 *
 * Made for millions of rows: integer keys, and rows in the order of arrival. What the hot path touches is
 * `envelope` (appended; found again by hash), `sealed` (appended) and `delivery` (appended to one queue).
 * These three declare no foreign keys: the operations keep them together, and checking each would cost a
 * look-up for every row that comes and goes.
 */
export const personalHalf = `
CREATE TABLE account (
  id            INTEGER PRIMARY KEY,
  address       BLOB    NOT NULL UNIQUE CHECK (length(address) = 20),
  display_name  TEXT,
  developer_api INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE handle (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  handle     TEXT    NOT NULL UNIQUE,
  is_public  INTEGER NOT NULL,
  verified   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX public_handle ON handle (handle) WHERE is_public = 1;
-- Finds what a handle has in the middle. Its rowid is the account; it holds public handles only.
CREATE VIRTUAL TABLE handle_text USING fts5 (handle, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TABLE challenge (
  nonce      TEXT    PRIMARY KEY,
  address    BLOB    NOT NULL,
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX challenge_expiry ON challenge (expires_at);

CREATE TABLE credential (
  id           INTEGER PRIMARY KEY,
  public_id    TEXT    NOT NULL UNIQUE,
  digest       BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
  type         TEXT    NOT NULL,
  account_id   INTEGER NOT NULL REFERENCES account (id),
  device_id    BLOB,             -- of a session: the device that renewed it
  name         TEXT,
  prefix       TEXT,
  entitlements TEXT    NOT NULL, -- space between them
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
CREATE INDEX credential_account ON credential (account_id, type);
CREATE INDEX session_expiry ON credential (expires_at) WHERE type = 'session';

CREATE TABLE device_list (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  sequence   INTEGER NOT NULL,
  list       TEXT    NOT NULL    -- JSON, as it is published
) STRICT;

-- A device is a queue: its integer key is never used again.
CREATE TABLE device (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id    INTEGER NOT NULL REFERENCES account (id),
  device_id     BLOB    NOT NULL CHECK (length(device_id) = 16),
  seal_key      BLOB    NOT NULL UNIQUE CHECK (length(seal_key) = 32),
  seal_sequence INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL, -- when the seal key is no longer in force
  seal_statement TEXT   NOT NULL, -- JSON, as it is published
  queued        INTEGER NOT NULL DEFAULT 0,
  queued_bytes  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, device_id)
) STRICT;

-- Renewals of a session that were used, until their time has passed.
CREATE TABLE renewal (
  device    INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  PRIMARY KEY (device, issued_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX renewal_time ON renewal (issued_at);

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
  ciphertext    BLOB    NOT NULL
) STRICT;

CREATE TABLE delivery (
  device      INTEGER NOT NULL,
  envelope_id INTEGER NOT NULL,
  PRIMARY KEY (device, envelope_id)
) STRICT, WITHOUT ROWID;
`;
