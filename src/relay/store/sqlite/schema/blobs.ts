/**
 * Blobs: what is known of them. Each row here is written before a byte of it is stored, and goes after the last.
 */
export const blobs = `
CREATE TABLE blob (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id BLOB    NOT NULL UNIQUE CHECK (length(public_id) = 16),
  object    TEXT    NOT NULL UNIQUE, -- the name of its bytes
  upload    TEXT,                    -- the name of the upload where the bytes are; null until there is one
  size      INTEGER NOT NULL,
  finished  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE blob_part (
  blob_id INTEGER NOT NULL REFERENCES blob (id),
  part    INTEGER NOT NULL,
  digest  BLOB    NOT NULL CHECK (length(digest) = 32),
  tag     TEXT    NOT NULL, -- the name of the part where the bytes are
  PRIMARY KEY (blob_id, part)
) STRICT, WITHOUT ROWID;

-- For whom a blob is kept, and until when. It is gone with the last claim.
CREATE TABLE blob_claim (
  blob_id    INTEGER NOT NULL REFERENCES blob (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (blob_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_claim_latest ON blob_claim (blob_id, expires_at);
CREATE INDEX blob_claim_expiry ON blob_claim (expires_at);
CREATE INDEX blob_claim_account ON blob_claim (account_id);

-- What the blobs of an account count for, until their bytes are gone; of account 0: all blobs at the relay, each once.
CREATE TABLE blob_usage (
  account_id INTEGER PRIMARY KEY,
  bytes      INTEGER NOT NULL,
  unfinished INTEGER NOT NULL
) STRICT;

-- Bytes that nobody has a claim to any more, and when they may be dropped.
CREATE TABLE blob_bytes_to_drop (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  object     TEXT    NOT NULL,
  upload     TEXT,
  size       INTEGER NOT NULL,
  account_id INTEGER NOT NULL, -- for whom they count as long
  drop_after INTEGER NOT NULL
) STRICT;
`;
