/**
 * What the operator needs: suspended accounts, and the audit log.
 */
export const operator = `
ALTER TABLE account ADD COLUMN suspended_at INTEGER;

-- One row for each change of a credential, a device list, a handle or a group, and for each act of the operator.
-- Each carries the hash of the one before it, so that a row that was changed, moved or taken out is found.
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- that a last row was taken out shows in sqlite_sequence
  at       INTEGER NOT NULL,
  actor    TEXT    NOT NULL, -- an address, or 'operator'
  action   TEXT    NOT NULL,
  target   TEXT    NOT NULL,
  detail   TEXT    NOT NULL, -- JSON
  hash     BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
CREATE TRIGGER audit_keeps_values BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
`;
