/** Records of blobs. Each row is written before the first byte is stored, and deleted after the last. */
import type { ColumnTypes } from './types.ts';

export const blobs = (types: ColumnTypes): string => `
CREATE TABLE blob (
  id        ${types.key},
  public_id ${types.bytes} NOT NULL UNIQUE CHECK (length(public_id) = 16),
  object    ${types.text} NOT NULL UNIQUE, -- name of its bytes in the storage
  upload    ${types.text},                    -- name of the upload in the storage; null before it begins
  size      ${types.integer} NOT NULL,
  finished  ${types.integer} NOT NULL DEFAULT 0
)${types.inOrder};

CREATE TABLE blob_part (
  blob_id ${types.integer} NOT NULL REFERENCES blob (id),
  part    ${types.integer} NOT NULL,
  digest  ${types.bytes} NOT NULL CHECK (length(digest) = 32),
  tag     ${types.text} NOT NULL, -- name of the part in the storage
  PRIMARY KEY (blob_id, part)
)${types.byKey};

-- Accounts that need a blob, and the end of each claim. The blob is deleted with the last one.
CREATE TABLE blob_claim (
  blob_id    ${types.integer} NOT NULL REFERENCES blob (id),
  account_id ${types.integer} NOT NULL REFERENCES account (id),
  expires_at ${types.integer} NOT NULL,
  PRIMARY KEY (blob_id, account_id)
)${types.byKey};
CREATE INDEX blob_claim_latest ON blob_claim (blob_id, expires_at);
CREATE INDEX blob_claim_expiry ON blob_claim (expires_at);
CREATE INDEX blob_claim_account ON blob_claim (account_id);

-- Bytes of the blobs of an account, until they are deleted. Account 0: all blobs of the relay, each counted once.
CREATE TABLE blob_usage (
  account_id ${types.integer} PRIMARY KEY,
  bytes      ${types.integer} NOT NULL,
  unfinished ${types.integer} NOT NULL
)${types.inOrder};

-- Bytes without a claim, and the time from which they may be deleted.
CREATE TABLE blob_bytes_to_drop (
  id         ${types.key},
  object     ${types.text} NOT NULL UNIQUE,
  upload     ${types.text},
  size       ${types.integer} NOT NULL,
  account_id ${types.integer} NOT NULL, -- account whose usage includes the bytes until then
  drop_after ${types.integer} NOT NULL
)${types.inOrder};
`;
