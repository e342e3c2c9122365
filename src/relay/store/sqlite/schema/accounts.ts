/**
 * Accounts, their credentials and devices, and what a login needs.
 */
export const accounts = `
CREATE TABLE account (
  id            INTEGER PRIMARY KEY,
  address       BLOB    NOT NULL UNIQUE CHECK (length(address) = 20),
  display_name  TEXT,
  developer_api INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL,
  suspended_at  INTEGER,
  deletes_at    INTEGER, -- when it is to end; null unless a device asked for it
  deleted_at    INTEGER  -- the row stays, for old device lists, memberships and what was sent
) STRICT;
CREATE INDEX account_deletion ON account (deletes_at) WHERE deletes_at IS NOT NULL;

-- Who may open an account with a code, where the operator wants that.
CREATE TABLE account_invitation (
  id         INTEGER PRIMARY KEY,
  public_id  TEXT    NOT NULL UNIQUE,
  digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
  maker_id   INTEGER REFERENCES account (id), -- null: the operator
  uses       INTEGER NOT NULL,
  uses_left  INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_invitation_maker ON account_invitation (maker_id);
CREATE INDEX account_invitation_expiry ON account_invitation (expires_at);

-- Addresses that the operator lets open an account without a code.
CREATE TABLE admitted_address (
  address     BLOB    PRIMARY KEY CHECK (length(address) = 20),
  admitted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE handle (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  handle     TEXT    NOT NULL UNIQUE,
  is_public  INTEGER NOT NULL,
  verified   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX public_handle ON handle (handle) WHERE is_public = 1;
-- Finds verified handles where few are.
CREATE INDEX verified_handle ON handle (handle) WHERE is_public = 1 AND verified = 1;
-- Finds what a handle has in the middle. Its rowid is the account; it holds public handles only.
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

-- Handles of accounts that were deleted: nobody else may have them for a year.
CREATE TABLE kept_handle (
  handle     TEXT    PRIMARY KEY,
  account_id INTEGER NOT NULL,
  until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_handle_until ON kept_handle (until);

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

CREATE TABLE credential (
  id           INTEGER PRIMARY KEY,
  public_id    TEXT    NOT NULL UNIQUE,
  digest       BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
  type         TEXT    NOT NULL,
  account_id   INTEGER NOT NULL REFERENCES account (id),
  group_id     INTEGER REFERENCES chat_group (id), -- of a group token: its group
  device_id    BLOB,             -- of a session: the device that renewed it. Of what a session made: the same
  name         TEXT,
  prefix       TEXT,
  entitlements TEXT    NOT NULL, -- space between them
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
CREATE INDEX credential_account ON credential (account_id, type);
CREATE INDEX credential_group ON credential (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX session_expiry ON credential (expires_at) WHERE type = 'session';

-- Renewals of a session that were used, until their time has passed. A device may log in before it has a queue.
CREATE TABLE renewal (
  account_id INTEGER NOT NULL,
  device_id  BLOB    NOT NULL CHECK (length(device_id) = 16),
  issued_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_id, issued_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX renewal_time ON renewal (issued_at);

-- All lists that an address has published: who has seen an older one verifies the way from it to the newest.
CREATE TABLE device_list (
  account_id   INTEGER NOT NULL REFERENCES account (id),
  sequence     INTEGER NOT NULL,
  list         TEXT    NOT NULL, -- JSON, as it is published
  issued_at    INTEGER NOT NULL, -- as the list says
  published_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, sequence)
) STRICT;
CREATE INDEX list_published ON device_list (account_id, published_at);

-- A device is a queue: its integer key is never used again.
CREATE TABLE device (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id     INTEGER NOT NULL REFERENCES account (id),
  device_id      BLOB    NOT NULL CHECK (length(device_id) = 16),
  seal_key       BLOB    NOT NULL UNIQUE CHECK (length(seal_key) = 32),
  seal_sequence  INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL, -- when the seal key is no longer in force
  seal_statement TEXT    NOT NULL, -- JSON, as it is published
  queued         INTEGER NOT NULL DEFAULT 0,
  queued_bytes   INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, device_id)
) STRICT;

-- The post-quantum halves of the seal keys of now, which senders ask for by digest. Two devices may publish the same.
CREATE TABLE pq_key (
  device INTEGER PRIMARY KEY REFERENCES device (id),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  key    BLOB NOT NULL CHECK (length(key) = 1184)
) STRICT;
CREATE INDEX pq_key_digest ON pq_key (digest);

-- Seal keys that were current once: what is still sealed to them is stale, not wrong.
CREATE TABLE retired_key (
  seal_key    BLOB    PRIMARY KEY,
  account_id  INTEGER NOT NULL,
  retired_at  INTEGER NOT NULL,
  device      INTEGER,                    -- into whose queue copies for the key still go
  taken_until INTEGER NOT NULL DEFAULT 0  -- until when they do
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_key_time ON retired_key (retired_at);
-- Finds the oldest retired keys of an account, so that they never pile up.
CREATE INDEX retired_key_account ON retired_key (account_id, retired_at);

-- New computers that wait to be linked, until their time is over.
CREATE TABLE link (
  id         INTEGER PRIMARY KEY, -- in the order in which they came
  device_id  BLOB    NOT NULL UNIQUE CHECK (length(device_id) = 16),
  device_key BLOB    NOT NULL CHECK (length(device_key) = 32),
  name       TEXT    NOT NULL,
  offer      TEXT,                -- JSON, as it is told
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX link_expiry ON link (expires_at);
`;
