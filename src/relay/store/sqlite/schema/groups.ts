/**
 * Groups, their members, and who may join.
 */
export const groups = `
CREATE TABLE chat_group (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id    TEXT    NOT NULL UNIQUE,
  name         TEXT    NOT NULL,
  description  TEXT    NOT NULL,
  creator_id   INTEGER NOT NULL REFERENCES account (id),
  password     TEXT,             -- scrypt, with its parameters and salt
  verified     INTEGER NOT NULL DEFAULT 0,
  member_count INTEGER NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX group_name ON chat_group (name COLLATE NOCASE, id);
CREATE INDEX group_creator ON chat_group (creator_id);
-- Finds what a name has in the middle.
CREATE VIRTUAL TABLE group_text USING fts5 (name, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TABLE member (
  group_id   INTEGER NOT NULL REFERENCES chat_group (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  joined_at  INTEGER NOT NULL,
  PRIMARY KEY (group_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_account ON member (account_id, group_id);

-- Who may join a group without its password, because its creator asked them to.
CREATE TABLE invitation (
  group_id   INTEGER NOT NULL REFERENCES chat_group (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  invited_at INTEGER NOT NULL,
  PRIMARY KEY (group_id, account_id)
) STRICT, WITHOUT ROWID;
`;
