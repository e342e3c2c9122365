/**
 * The cache's schema, one migration after the other; `user_version` counts those applied. Never edit one that shipped.
 *
 * Addresses are wire text, binary ids are blobs, times are milliseconds since 1970.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    address TEXT NOT NULL,
    wallet_key BLOB NOT NULL,
    phrase TEXT,
    device_seed BLOB NOT NULL,
    relay_url TEXT,                       -- NULL: the embedded relay, wherever it listens this time
    handle TEXT,
    display_name TEXT,
    device_list TEXT,                     -- JSON: the newest own list that this device has seen
    registered_at INTEGER                 -- NULL until the relay has accepted a list with this device
  ) STRICT;

  CREATE TABLE seal_keys (
    sequence INTEGER PRIMARY KEY,
    secret BLOB NOT NULL,
    public_key TEXT NOT NULL UNIQUE,
    statement TEXT NOT NULL,              -- JSON: the signed statement
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE contacts (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    handle TEXT,
    display_name TEXT,
    handle_verified INTEGER NOT NULL DEFAULT 0,
    list_sequence INTEGER NOT NULL DEFAULT 0,
    device_list TEXT,                     -- JSON: the pinned list, never replaced by an older one
    seal_keys TEXT NOT NULL DEFAULT '[]', -- JSON: statements proven against that list
    fetched_at INTEGER NOT NULL DEFAULT 0,
    next_seq INTEGER NOT NULL DEFAULT 1,  -- counter in the payloads that this device sends to them
    first_seen_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER NOT NULL UNIQUE REFERENCES contacts(id),
    state TEXT NOT NULL CHECK (state IN ('accepted', 'request', 'blocked')),
    draft TEXT NOT NULL DEFAULT '',
    unread INTEGER NOT NULL DEFAULT 0,
    last_read_id INTEGER NOT NULL DEFAULT 0,
    last_message_id INTEGER,
    devices_changed_at INTEGER,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX conversations_by_update ON conversations (updated_at DESC);

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the timeline
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,                    -- the 16 bytes in the payload
    body TEXT NOT NULL,                   -- JSON, whole: later versions may understand more of it
    sent_at INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'received')),
    trust TEXT NOT NULL CHECK (trust IN ('self', 'verified', 'api', 'bot')),
    problem TEXT
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, id);

  -- What was shown once is never shown again, also after it was deleted here.
  CREATE TABLE seen (
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,
    PRIMARY KEY (sender, uid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL UNIQUE REFERENCES messages(id) ON DELETE CASCADE,
    conversation_id INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX outbox_by_conversation ON outbox (conversation_id, id);

  -- Sealed copies, durable before the first byte goes out: a retry sends the same bytes, which the relay knows again.
  CREATE TABLE outbox_copies (
    outbox_id INTEGER NOT NULL REFERENCES outbox(id) ON DELETE CASCADE,
    to_address TEXT NOT NULL,
    recipient_key TEXT NOT NULL,
    envelope TEXT NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (outbox_id, recipient_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE quarantine (
    envelope_id TEXT PRIMARY KEY,
    sender TEXT NOT NULL,
    reason TEXT NOT NULL,
    envelope TEXT NOT NULL,
    quarantined_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id TEXT NOT NULL UNIQUE,        -- the relay's
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    verified INTEGER NOT NULL,
    has_password INTEGER NOT NULL,
    creator TEXT NOT NULL,
    members TEXT NOT NULL,                -- JSON: wire addresses in their order
    joined INTEGER NOT NULL,              -- 0: left, or removed
    joined_at INTEGER NOT NULL,           -- since when this device knows of the membership
    fetched_at INTEGER NOT NULL,
    differs_at INTEGER,                   -- when a member was seen to have another list of members
    next_seq INTEGER NOT NULL DEFAULT 1   -- counter in the payloads that this device sends to it
  ) STRICT;

  -- Lists of members that this device was shown: what somebody sends may name one of a while ago.
  CREATE TABLE group_hashes (
    group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (group_id, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE conversations_next (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER UNIQUE REFERENCES contacts(id),
    group_id INTEGER UNIQUE REFERENCES groups(id),
    state TEXT NOT NULL CHECK (state IN ('accepted', 'request', 'blocked')),
    draft TEXT NOT NULL DEFAULT '',
    unread INTEGER NOT NULL DEFAULT 0,
    last_read_id INTEGER NOT NULL DEFAULT 0,
    last_message_id INTEGER,
    devices_changed_at INTEGER,
    updated_at INTEGER NOT NULL,
    CHECK ((contact_id IS NULL) <> (group_id IS NULL))
  ) STRICT;
  INSERT INTO conversations_next
    SELECT id, contact_id, NULL, state, draft, unread, last_read_id, last_message_id, devices_changed_at, updated_at
      FROM conversations;
  -- Ids are never used again, also after the newest was deleted.
  DELETE FROM sqlite_sequence WHERE name = 'conversations_next';
  UPDATE sqlite_sequence SET name = 'conversations_next' WHERE name = 'conversations';
  DROP TABLE conversations;
  ALTER TABLE conversations_next RENAME TO conversations;
  CREATE INDEX conversations_by_update ON conversations (updated_at DESC);

  -- Of a row that stands for something that happened and for no message: JSON. Its state and trust say nothing.
  ALTER TABLE messages ADD COLUMN event TEXT;
  `,
  `
  -- Asks for no attention: no notifications, and not in what is counted as unread.
  ALTER TABLE conversations ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
  -- When the person held the address against the one that its owner gave them.
  ALTER TABLE contacts ADD COLUMN verified_at INTEGER;
  `,
  `
  -- JSON: wire addresses of those in members who left or were removed once and whom the user has not confirmed since.
  ALTER TABLE groups ADD COLUMN unconfirmed TEXT NOT NULL DEFAULT '[]';
  -- Everybody who was seen to leave a group or to be removed: an old roster does not bring them back.
  CREATE TABLE group_departures (
    group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    PRIMARY KEY (group_id, address)
  ) STRICT, WITHOUT ROWID;
  -- When this device saw that the list was over; NULL for what the relay shows now.
  ALTER TABLE group_hashes ADD COLUMN ended_at INTEGER;
  -- Whether its sender was among the unconfirmed when it came.
  ALTER TABLE messages ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Of what was refused, facts alone: with the bodies, a stranger could fill the disk.
  CREATE TABLE quarantine_next (
    envelope_id TEXT PRIMARY KEY,
    sender TEXT NOT NULL,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,                -- of the ciphertext, in characters
    quarantined_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO quarantine_next
    SELECT envelope_id, sender, substr(reason, 1, 200), length(envelope), quarantined_at
      FROM quarantine ORDER BY quarantined_at DESC LIMIT 1000;
  DROP TABLE quarantine;
  ALTER TABLE quarantine_next RENAME TO quarantine;
  CREATE INDEX quarantine_by_sender ON quarantine (sender, quarantined_at);
  `,
  `
  -- Which messages were taken, until none of them can come again.
  ALTER TABLE seen RENAME TO seen_before;
  CREATE TABLE seen (
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,
    signed INTEGER NOT NULL,              -- 0: nobody signed it. It does not stand in the way of a signed one
    at INTEGER NOT NULL,
    PRIMARY KEY (sender, uid, signed)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_by_time ON seen (at);
  INSERT INTO seen SELECT sender, uid, 1, unixepoch() * 1000 FROM seen_before;
  DROP TABLE seen_before;
  -- Milliseconds: the longest that the relay has told of.
  ALTER TABLE identity ADD COLUMN retention INTEGER;
  -- What this version does not understand, whole: a later version judges it again.
  CREATE TABLE unknown_contents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER REFERENCES conversations(id) ON DELETE CASCADE,
    channel TEXT NOT NULL CHECK (channel IN ('direct', 'group')),
    body TEXT NOT NULL,                   -- JSON
    bytes INTEGER NOT NULL,
    trust TEXT NOT NULL CHECK (trust IN ('self', 'verified', 'api', 'bot')),
    kinds TEXT NOT NULL                   -- the kinds that the version knew that kept it
  ) STRICT;
  `,
  `
  -- Every own device list that this device knows: what the relay has lost is given back.
  CREATE TABLE own_lists (
    sequence INTEGER PRIMARY KEY,
    list TEXT NOT NULL                    -- JSON
  ) STRICT;
  INSERT INTO own_lists
    SELECT json_extract(device_list, '$.sequence'), device_list FROM identity WHERE device_list IS NOT NULL;
  ALTER TABLE identity DROP COLUMN device_list;

  -- When the relay took the statement; NULL before.
  ALTER TABLE seal_keys ADD COLUMN accepted_at INTEGER;
  -- Statements had another form: these keys still open what was sealed to them, and a new one is made at once.
  UPDATE seal_keys
    SET statement = json_set(statement, '$.pq', NULL, '$.listSequence', 1), created_at = 0;

  -- JSON: src/messaging/trust/address-trust.ts. NULL of an address of which nothing was seen.
  ALTER TABLE contacts ADD COLUMN trust TEXT;
  UPDATE contacts
    SET trust = json_object(
      'list', json(device_list), 'earlier', json('[]'), 'sealKeys', json('{}'), 'claims', json('{}'),
      'shown', list_sequence, 'fork', NULL
    )
    WHERE device_list IS NOT NULL;
  UPDATE contacts SET seal_keys = '[]', fetched_at = 0;
  ALTER TABLE contacts DROP COLUMN device_list;
  ALTER TABLE contacts DROP COLUMN list_sequence;

  -- 1: all have their copies but members whose devices the relay does not show; later messages do not wait for it.
  ALTER TABLE outbox ADD COLUMN held INTEGER NOT NULL DEFAULT 0;

  -- Whom to tell of the own device list.
  CREATE TABLE hellos (
    address TEXT PRIMARY KEY,
    due_at INTEGER,                       -- NULL: nothing is to be told
    after_sequence INTEGER NOT NULL,      -- number of the newest own list that they know, as far as known
    sent_at INTEGER                       -- when they were told last
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX hellos_due ON hellos (due_at) WHERE due_at IS NOT NULL;
  `,
  `
  -- Whether API keys work at the relay, as it said last; NULL before it has.
  ALTER TABLE identity ADD COLUMN developer_api INTEGER;
  `,
  `
  -- JSON: addresses of the members for whom a held message is kept. Whoever joins later gets nothing of it.
  ALTER TABLE outbox ADD COLUMN held_for TEXT;
  DELETE FROM outbox WHERE held = 1;
  `,
  `
  -- What changed since the person was told.
  ALTER TABLE conversations ADD COLUMN devices_added INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN devices_removed INTEGER NOT NULL DEFAULT 0;

  -- What is shown is remembered by its hash, and of seal keys their time: both are had when the relay is asked anew.
  UPDATE contacts
    SET trust = json_set(trust, '$.shown', NULL, '$.sealKeys', json('{}'), '$.rejected', json('[]'))
    WHERE trust IS NOT NULL;
  UPDATE contacts SET seal_keys = '[]', fetched_at = 0;

  -- Since when a message waits: a message that is retried waits anew.
  ALTER TABLE outbox ADD COLUMN queued_at INTEGER NOT NULL DEFAULT 0;
  UPDATE outbox SET queued_at = (SELECT stored_at FROM messages WHERE messages.id = outbox.message_id);
  `,
  `
  -- Finds whether anything that a person wrote is here.
  CREATE INDEX messages_by_sender ON messages (sender);
  `,
  `
  -- How often it has waited for devices that the relay does not show.
  ALTER TABLE outbox ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Number of the newest own list for which it is planned whom to tell of it.
  ALTER TABLE identity ADD COLUMN planned_list INTEGER NOT NULL DEFAULT 0;
  UPDATE identity SET planned_list = (SELECT coalesce(max(sequence), 0) FROM own_lists);
  `,
];
