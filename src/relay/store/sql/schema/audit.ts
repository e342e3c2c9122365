/**
 * The audit log.
 */
import type { ColumnTypes } from './types.ts';

export const audit = (types: ColumnTypes): string => `
-- One row for each change of a credential, device list, handle or group, and for each action of the operator.
-- Each contains the hash of the previous one, so that a changed, moved or missing row is detected.
CREATE TABLE audit (
  sequence ${types.integer} PRIMARY KEY,
  at       ${types.integer} NOT NULL,
  actor    ${types.text} NOT NULL, -- an address, or 'operator'
  action   ${types.text} NOT NULL,
  target   ${types.text} NOT NULL,
  detail   ${types.text} NOT NULL, -- JSON
  hash     ${types.bytes} NOT NULL CHECK (length(hash) = 32)
)${types.inOrder};
-- Finds the recent actions of an account.
CREATE INDEX audit_actor ON audit (actor, at);

-- The last expired row of the audit log. All earlier ones are expired, too. The chain continues from its hash.
CREATE TABLE audit_start (
  id       ${types.integer} PRIMARY KEY CHECK (id = 1),
  sequence ${types.integer} NOT NULL,
  hash     ${types.bytes} NOT NULL CHECK (length(hash) = 32)
)${types.inOrder};
INSERT INTO audit_start VALUES (1, 0, ${types.zeros});

-- The number of all rows ever written, which shows whether the last ones are missing.
CREATE TABLE audit_end (
  id       ${types.integer} PRIMARY KEY CHECK (id = 1),
  sequence ${types.integer} NOT NULL
)${types.inOrder};
INSERT INTO audit_end VALUES (1, 0);

`;
