/** Records of blobs. Each row is written before the first byte is stored, and deleted after the last. */
import type { ColumnTypes } from './types.ts';

export const blobs = (types: ColumnTypes): string => `
CREATE TABLE blob (
  id        ${types.key},
  public_id ${types.bytes} NOT NULL UNIQUE CHECK (length(public_id) = 16),
  object    ${types.text} NOT NULL UNIQUE, -- the name of its bytes
  upload    ${types.text},                    -- the name of the upload where the bytes are; null until there is one
  size      ${types.integer} NOT NULL,
  finished  ${types.integer} NOT NULL DEFAULT 0
)${types.inOrder};

CREATE TABLE blob_part (
  blob_id ${types.integer} NOT NULL REFERENCES blob (id),
  part    ${types.integer} NOT NULL,
  digest  ${types.bytes} NOT NULL CHECK (length(digest) = 32),
  tag     ${types.text} NOT NULL, -- the name of the part where the bytes are
  PRIMARY KEY (blob_id, part)
)${types.byKey};

-- For whom a blob is kept, and until when. It is gone with the last claim.
CREATE TABLE blob_claim (
  blob_id    ${types.integer} NOT NULL REFERENCES blob (id),
  account_id ${types.integer} NOT NULL REFERENCES account (id),
  expires_at ${types.integer} NOT NULL,
  PRIMARY KEY (blob_id, account_id)
)${types.byKey};
CREATE INDEX blob_claim_latest ON blob_claim (blob_id, expires_at);
CREATE INDEX blob_claim_expiry ON blob_claim (expires_at);
CREATE INDEX blob_claim_account ON blob_claim (account_id);

-- What the blobs of an account count for, until their bytes are gone; of account 0: all blobs at the relay, each once.
CREATE TABLE blob_usage (
  account_id ${types.integer} PRIMARY KEY,
  bytes      ${types.integer} NOT NULL,
  unfinished ${types.integer} NOT NULL
)${types.inOrder};

-- Bytes that nobody has a claim to any more, and when they may be dropped.
CREATE TABLE blob_bytes_to_drop (
  id         ${types.key},
  object     ${types.text} NOT NULL UNIQUE,
  upload     ${types.text},
  size       ${types.integer} NOT NULL,
  account_id ${types.integer} NOT NULL, -- account whose usage includes the bytes until then
  drop_after ${types.integer} NOT NULL
)${types.inOrder};
`;
