/**
 * What keeps logins and the audit log bounded.
 */
export const bounds = `
DROP TABLE challenge;
CREATE TABLE challenge (
  id         INTEGER PRIMARY KEY, -- in the order in which they were given
  nonce      TEXT    NOT NULL UNIQUE,
  address    BLOB    NOT NULL,
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  network    BLOB                 -- who asked: a hash under a key that the process alone knows. Null where that says nothing
) STRICT;
CREATE INDEX challenge_expiry ON challenge (expires_at);
CREATE INDEX challenge_network ON challenge (network) WHERE network IS NOT NULL;

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
DROP TRIGGER audit_keeps_rows;
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
  WHEN OLD.sequence > (SELECT sequence FROM audit_start)
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
`;
