/** The tables in SQLite, with its own additions: indexes of the texts in names, and guards of the audit log. */
import { tables } from '../sql/schema/schema.ts';
import { hashIndex } from './hash-index.ts';

const texts = `
-- Finds public handles by any part. The rowid is the account.
CREATE VIRTUAL TABLE handle_text USING fts5 (handle, content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TRIGGER handle_text_comes AFTER INSERT ON handle WHEN NEW.is_public = 1
BEGIN INSERT INTO handle_text (rowid, handle) VALUES (NEW.account_id, NEW.handle); END;
CREATE TRIGGER handle_text_changes AFTER UPDATE OF handle, is_public ON handle
BEGIN
  DELETE FROM handle_text WHERE rowid = OLD.account_id;
  INSERT INTO handle_text (rowid, handle) SELECT NEW.account_id, NEW.handle WHERE NEW.is_public = 1;
END;
CREATE TRIGGER handle_text_goes AFTER DELETE ON handle
BEGIN DELETE FROM handle_text WHERE rowid = OLD.account_id; END;
-- Finds listed groups by any part of their name.
CREATE VIRTUAL TABLE group_text USING fts5 (name, content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TRIGGER group_text_comes AFTER INSERT ON chat_group WHEN NEW.listed = 1
BEGIN INSERT INTO group_text (rowid, name) VALUES (NEW.id, NEW.search_name); END;
CREATE TRIGGER group_text_changes AFTER UPDATE OF search_name, listed ON chat_group
  WHEN NEW.search_name <> OLD.search_name OR NEW.listed <> OLD.listed
BEGIN
  DELETE FROM group_text WHERE rowid = OLD.id;
  INSERT INTO group_text (rowid, name) SELECT NEW.id, NEW.search_name WHERE NEW.listed = 1;
END;
CREATE TRIGGER group_text_goes AFTER DELETE ON chat_group
BEGIN DELETE FROM group_text WHERE rowid = OLD.id; END;
CREATE INDEX group_name ON chat_group (search_name, id) WHERE listed = 1;
`;

const auditGuards = `
CREATE TRIGGER audit_start_moves_on BEFORE UPDATE ON audit_start
  WHEN NEW.sequence <= OLD.sequence OR NEW.hash IS NOT (SELECT hash FROM audit WHERE sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'the audit log begins at one of its rows'); END;
CREATE TRIGGER audit_start_stays BEFORE DELETE ON audit_start
BEGIN SELECT RAISE(ABORT, 'the audit log begins at one of its rows'); END;
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

/** Everything in a new database. */
export const schema =
  tables({
    integer: 'INTEGER',
    bytes: 'BLOB',
    text: 'TEXT',
    key: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    mailKey: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    keyOfMail: 'INTEGER PRIMARY KEY',
    // A key of two columns would cost an index.
    keyedInBucket: () => '',
    // The look-up before each write checks it (hash-index.ts).
    uniqueHash: '',
    inOrder: ' STRICT',
    byKey: ' STRICT, WITHOUT ROWID',
    zeros: 'zeroblob(32)',
  }) +
  hashIndex +
  texts +
  auditGuards;
