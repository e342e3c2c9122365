/**
 * The audit log.
 */
import type { ColumnTypes } from './types.ts';

export const audit = (types: ColumnTypes): string => `
-- One row for each change of a credential, a device list, a handle or a group, and for each act of the operator.
-- Each carries the hash of the one before it, so that a row that was changed, moved or taken out is found.
CREATE TABLE audit (
  sequence ${types.integer} PRIMARY KEY,
  at       ${types.integer} NOT NULL,
  actor    ${types.text} NOT NULL, -- an address, or 'operator'
  action   ${types.text} NOT NULL,
  target   ${types.text} NOT NULL,
  detail   ${types.text} NOT NULL, -- JSON
  hash     ${types.bytes} NOT NULL CHECK (length(hash) = 32)
)${types.inOrder};
-- Finds what an account has done of late.
CREATE INDEX audit_actor ON audit (actor, at);

-- The last row of the audit log whose time is over, and with it all before: the chain goes on from its hash.
CREATE TABLE audit_start (
  id       ${types.integer} PRIMARY KEY CHECK (id = 1),
  sequence ${types.integer} NOT NULL,
  hash     ${types.bytes} NOT NULL CHECK (length(hash) = 32)
)${types.inOrder};
INSERT INTO audit_start VALUES (1, 0, ${types.zeros});

-- How many rows were ever written: so it shows if the last ones were taken out.
CREATE TABLE audit_end (
  id       ${types.integer} PRIMARY KEY CHECK (id = 1),
  sequence ${types.integer} NOT NULL
)${types.inOrder};
INSERT INTO audit_end VALUES (1, 0);

`;
