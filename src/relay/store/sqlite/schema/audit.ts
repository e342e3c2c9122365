/**
 * The audit log.
 */
export const audit = `
-- One row for each change of a credential, a device list, a handle or a group, and for each act of the operator.
-- Each carries the hash of the one before it, so that a row that was changed, moved or taken out is found.
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  actor    TEXT    NOT NULL, -- an address, or 'operator'
  action   TEXT    NOT NULL,
  target   TEXT    NOT NULL,
  detail   TEXT    NOT NULL, -- JSON
  hash     BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
-- Finds what an account has done of late.
CREATE INDEX audit_actor ON audit (actor, at);

-- The last row of the audit log whose time is over, and with it all before: the chain goes on from its hash.
CREATE TABLE audit_start (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL,
  hash     BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
INSERT INTO audit_start VALUES (1, 0, zeroblob(32));
CREATE TRIGGER audit_start_moves_on BEFORE UPDATE ON audit_start
  WHEN NEW.sequence <= OLD.sequence OR NEW.hash IS NOT (SELECT hash FROM audit WHERE sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'the audit log begins at one of its rows'); END;
CREATE TRIGGER audit_start_stays BEFORE DELETE ON audit_start
BEGIN SELECT RAISE(ABORT, 'the audit log begins at one of its rows'); END;

-- How many rows were ever written: so it shows if the last ones were taken out.
CREATE TABLE audit_end (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL
) STRICT;
INSERT INTO audit_end VALUES (1, 0);
CREATE TRIGGER audit_end_moves_on BEFORE UPDATE ON audit_end WHEN NEW.sequence <> OLD.sequence + 1
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
CREATE TRIGGER audit_end_stays BEFORE DELETE ON audit_end
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;

CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
  WHEN OLD.sequence > (SELECT sequence FROM audit_start)
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
CREATE TRIGGER audit_keeps_values BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
`;
