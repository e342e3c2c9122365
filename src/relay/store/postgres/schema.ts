/** The tables in PostgreSQL, with its own additions: the order of names, and guards of the audit log. */
import { tables } from '../sql/schema/schema.ts';

const own = `
-- Locked by transactions that must run one after the other.
CREATE TABLE turn ();
-- Counters that all replicas share, by kind and a hash of the caller. They may be lost in a crash.
CREATE UNLOGGED TABLE counter (
  name    TEXT NOT NULL,
  key     BYTEA NOT NULL,
  level   FLOAT8 NOT NULL, -- rest of a token bucket, or number of failed attempts
  granted FLOAT8 NOT NULL, -- amount of the last withdrawal
  at      FLOAT8 NOT NULL, -- time of that state, or of the next allowed attempt, in milliseconds since 1970
  until   FLOAT8 NOT NULL, -- end of its effect
  PRIMARY KEY (name, key)
);
-- Salt for the keyed hashes of networks, different in each database.
CREATE TABLE network_salt (salt BYTEA NOT NULL);
INSERT INTO network_salt VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
-- Sealed bodies do not compress. Up to a page they are stored in their row: outside, they need more rows, each with an index entry.
ALTER TABLE sealed ALTER COLUMN ciphertext SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);
CREATE INDEX group_name ON chat_group (search_name, id) WHERE listed = 1;
`;

const auditGuards = `
CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit log only grows'; END $$;
CREATE FUNCTION audit_begins_at_a_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.sequence > OLD.sequence
     AND NEW.hash = (SELECT hash FROM audit WHERE sequence = NEW.sequence) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the audit log begins at one of its rows';
END $$;
CREATE FUNCTION audit_keeps_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.sequence <= (SELECT sequence FROM audit_start) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the audit log only grows';
END $$;
CREATE TRIGGER audit_start_moves_on BEFORE UPDATE OR DELETE ON audit_start
  FOR EACH ROW EXECUTE FUNCTION audit_begins_at_a_row();
CREATE TRIGGER audit_end_moves_on BEFORE UPDATE ON audit_end
  FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence + 1) EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_end_stays BEFORE DELETE ON audit_end FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_keeps_rows();
CREATE TRIGGER audit_keeps_values BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
`;

/** Everything in a new database. */
export const schema =
  tables({
    integer: 'BIGINT',
    bytes: 'BYTEA',
    text: 'TEXT COLLATE "C"',
    key: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    mailKey: 'BIGINT GENERATED ALWAYS AS IDENTITY',
    keyOfMail: 'BIGINT NOT NULL',
    // Distributed tables need their distribution column in each key.
    uniqueHash: ',\n  UNIQUE (hash, bucket)',
    keyedInBucket: (column) => `,\n  PRIMARY KEY (${column}, bucket)`,
    inOrder: '',
    byKey: '',
    zeros: "decode(repeat('00', 32), 'hex')",
  }) +
  own +
  auditGuards;
