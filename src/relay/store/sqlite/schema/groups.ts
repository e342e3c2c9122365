/**
 * Groups: their chains, and what these fold to.
 */
export const groups = `
-- What the directory shows and posts go by, and what the chain comes to beside its people.
CREATE TABLE chat_group (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id    TEXT    NOT NULL UNIQUE,
  name         TEXT    NOT NULL,
  description  TEXT    NOT NULL,
  creator_id   INTEGER REFERENCES account (id), -- null once the creator left
  told         BLOB    CHECK (length(told) = 32), -- SHA-256 of what the relay is told of the password
  listed       INTEGER NOT NULL,
  verified     INTEGER NOT NULL DEFAULT 0,
  member_count INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  epoch        INTEGER NOT NULL, -- of the last entry
  hash         BLOB    NOT NULL CHECK (length(hash) = 32), -- of the last entry
  issued_at    INTEGER NOT NULL, -- as the last entry says
  join_mode    TEXT    NOT NULL,
  roster       TEXT    NOT NULL -- JSON: the fields of the state that have neither a column nor a table
) STRICT;
CREATE INDEX group_name ON chat_group (name COLLATE NOCASE, id) WHERE listed = 1;
CREATE INDEX group_creator ON chat_group (creator_id);
-- Finds what a name has in the middle. Listed groups only.
CREATE VIRTUAL TABLE group_text USING fts5 (name, content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TRIGGER group_text_comes AFTER INSERT ON chat_group WHEN NEW.listed = 1
BEGIN INSERT INTO group_text (rowid, name) VALUES (NEW.id, NEW.name); END;
CREATE TRIGGER group_text_changes AFTER UPDATE OF name, listed ON chat_group
  WHEN NEW.name <> OLD.name OR NEW.listed <> OLD.listed
BEGIN
  DELETE FROM group_text WHERE rowid = OLD.id;
  INSERT INTO group_text (rowid, name) SELECT NEW.id, NEW.name WHERE NEW.listed = 1;
END;
CREATE TRIGGER group_text_goes AFTER DELETE ON chat_group
BEGIN DELETE FROM group_text WHERE rowid = OLD.id; END;

-- The chains, as they were signed.
CREATE TABLE roster_entry (
  group_id   INTEGER NOT NULL REFERENCES chat_group (id),
  epoch      INTEGER NOT NULL,
  hash       BLOB    NOT NULL CHECK (length(hash) = 32),
  body       BLOB    NOT NULL,
  device_id  BLOB    NOT NULL CHECK (length(device_id) = 16),
  signature  BLOB    NOT NULL CHECK (length(signature) = 64),
  account_id INTEGER NOT NULL, -- who signed
  bytes      INTEGER NOT NULL, -- what of it counts for the account's day; 0 for what is always taken
  taken_at   INTEGER NOT NULL,
  UNIQUE (group_id, epoch)
) STRICT;
-- Finds how much an account has signed of late.
CREATE INDEX roster_entry_account ON roster_entry (account_id, taken_at, bytes);

-- What the fold knows of everybody who is or was a member.
CREATE TABLE roster_person (
  group_id   INTEGER NOT NULL REFERENCES chat_group (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  list       INTEGER NOT NULL, -- the highest device list that the chain names
  since      INTEGER,          -- epoch of the entry that made it a member; null: it is none
  joins      TEXT    NOT NULL, -- JSON: when it joined of late
  departed   INTEGER,          -- when it last left or was removed
  removed    INTEGER NOT NULL,
  signed     INTEGER NOT NULL, -- epoch of the last entry that it signed
  PRIMARY KEY (group_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_of ON roster_person (account_id, group_id) WHERE since IS NOT NULL;
CREATE INDEX member_in ON roster_person (group_id, account_id) WHERE since IS NOT NULL;
CREATE VIEW member AS SELECT group_id, account_id FROM roster_person WHERE since IS NOT NULL;

-- Whose tickets were withdrawn, and when. Not all of them have an account here.
CREATE TABLE roster_uninvited (
  group_id INTEGER NOT NULL REFERENCES chat_group (id),
  address  BLOB    NOT NULL CHECK (length(address) = 20),
  at       INTEGER NOT NULL,
  PRIMARY KEY (group_id, address)
) STRICT, WITHOUT ROWID;
`;
