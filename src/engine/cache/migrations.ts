/**
 * The cache's schema as a list of migrations; `user_version` counts those applied. Never edit one that
 * shipped.
 *
 * Addresses are wire text, binary ids are blobs, times are milliseconds since 1970.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    address TEXT NOT NULL,
    wallet_key BLOB,                      -- NULL where the wallet is not kept here
    phrase TEXT,
    device_seed BLOB NOT NULL,
    relay_url TEXT,                       -- NULL: the embedded relay, wherever it listens this time
    handle TEXT,
    display_name TEXT,
    developer_api INTEGER,                -- whether API keys work at the relay, as it said last; NULL before it has
    registered_at INTEGER,                -- NULL until the relay has accepted a list with this device
    retention INTEGER,                    -- milliseconds: the longest that the relay has told of
    read_to_end INTEGER,                  -- when the queue was last read to its end
    planned_list INTEGER NOT NULL DEFAULT 0, -- number of the newest own list for which it is planned whom to tell of it
    told_devices TEXT                     -- JSON: ids of other own devices that have what own devices share; NULL before the first look
  ) STRICT;

  -- Every own device list that this device knows: what the relay has lost is given back.
  CREATE TABLE own_lists (
    sequence INTEGER PRIMARY KEY,
    list TEXT NOT NULL                    -- JSON
  ) STRICT;

  CREATE TABLE seal_keys (
    sequence INTEGER PRIMARY KEY,
    secret BLOB NOT NULL,
    public_key TEXT NOT NULL UNIQUE,
    statement TEXT NOT NULL,              -- JSON: the signed statement
    created_at INTEGER NOT NULL,
    accepted_at INTEGER                   -- when the relay took the statement; NULL before
  ) STRICT;

  CREATE TABLE contacts (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    handle TEXT,
    display_name TEXT,
    handle_verified INTEGER NOT NULL DEFAULT 0,
    trust TEXT,                           -- JSON: src/messaging/trust/address-trust.ts. NULL if nothing was seen
    seal_keys TEXT NOT NULL DEFAULT '[]', -- JSON: statements proven against the pinned list
    fetched_at INTEGER NOT NULL DEFAULT 0,
    next_seq INTEGER NOT NULL DEFAULT 1,  -- counter in the payloads that this device sends to them
    first_seen_at INTEGER NOT NULL,
    verified_at INTEGER,                  -- when the person held the address against the one that its owner gave them
    timer TEXT,                           -- JSON: after how long what they write to each other disappears; NULL: never set
    had_chat INTEGER NOT NULL DEFAULT 0   -- whether the person has deleted a chat with them that they had accepted
  ) STRICT;

  CREATE TABLE groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id TEXT NOT NULL UNIQUE,        -- hash of the entry that made it
    hash TEXT NOT NULL,                   -- of the newest entry that was folded: it is pinned
    state TEXT NOT NULL,                  -- JSON: what the chain comes to
    members TEXT NOT NULL,                -- JSON: wire addresses, as the state has them
    notes TEXT NOT NULL,                  -- JSON: what stands in the way of sending, and what the person decided
    verified INTEGER NOT NULL DEFAULT 0,  -- whether the relay's operator vouches for the name
    joined INTEGER NOT NULL,              -- 0: left, or removed
    fetched_at INTEGER NOT NULL DEFAULT 0,
    next_seq INTEGER NOT NULL DEFAULT 1   -- counter in the payloads that this device sends to it
  ) STRICT;

  -- The entries of groups' chains: what is looked back for, and of the newest all, for members who are not shown them.
  CREATE TABLE group_entries (
    group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    hash TEXT NOT NULL,
    past TEXT NOT NULL,                   -- JSON
    entry TEXT,                           -- JSON, as it was signed
    PRIMARY KEY (group_id, epoch)
  ) STRICT, WITHOUT ROWID;

  -- Messages that name an entry which the relay does not show, for a day at most.
  CREATE TABLE held_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    uid TEXT NOT NULL,
    body TEXT NOT NULL,                   -- JSON
    bytes INTEGER NOT NULL,
    proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
    bot TEXT,                             -- JSON: what wrote it in the place of a person; NULL for a person, and where that is not known
    asked_for INTEGER NOT NULL,           -- whether it was asked for because it was missing
    received_at INTEGER NOT NULL,
    device_id TEXT,                       -- that signed it; NULL where none did
    digest TEXT NOT NULL,
    suite INTEGER NOT NULL,               -- of the copy that came: src/protocol/envelope.ts
    UNIQUE (group_id, sender, uid, proof)
  ) STRICT;

  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER UNIQUE REFERENCES contacts(id),
    group_id INTEGER UNIQUE REFERENCES groups(id),
    state TEXT NOT NULL CHECK (state IN ('accepted', 'request', 'blocked')),
    draft TEXT NOT NULL DEFAULT '',
    draft_mentions TEXT NOT NULL DEFAULT '[]', -- JSON: whom the draft mentions, by places as JavaScript counts them
    unread INTEGER NOT NULL DEFAULT 0,
    last_read_id INTEGER NOT NULL DEFAULT 0,
    last_message_id INTEGER,
    -- How many devices came and went since the person was told; NULL if none did.
    devices_changed_at INTEGER,
    devices_added INTEGER NOT NULL DEFAULT 0,
    devices_removed INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL,
    last_sent_at INTEGER NOT NULL DEFAULT 0, -- the latest sentAt that this device has put into a body for it
    drawn INTEGER NOT NULL DEFAULT 0,     -- of a request: what its sender has used of their budget, in bytes (strangers.ts)
    CHECK ((contact_id IS NULL) <> (group_id IS NULL))
  ) STRICT;
  CREATE INDEX conversations_by_update ON conversations (updated_at DESC);

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they came
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,               -- the order of the timeline: the own id, or that of the message it stands behind
    late INTEGER NOT NULL DEFAULT 0,      -- of what was missing and came late: its sentAt, which orders those of one place
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,                    -- the 16 bytes in the payload
    sent_at INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'received')),
    trust TEXT NOT NULL CHECK (trust IN ('self', 'verified', 'bot', 'api', 'token')),
    bot TEXT,                             -- JSON: what wrote it in the place of a person; NULL for a person, and where that is not known
    roster TEXT,                          -- JSON: what is told beside it, by the chain of its group
    problem TEXT,
    seq INTEGER,                          -- of what was written on this device: the number of its payload
    device_id TEXT,                       -- that signed it; NULL where none did
    digest TEXT,                          -- of the body as it was signed; NULL until it is sealed
    received_at INTEGER NOT NULL DEFAULT 0, -- as it counts here: src/messaging/trust/received-at.ts
    suite INTEGER,                        -- of the copy that came; of what is sent the lowest; NULL until it is sealed
    edit TEXT,                            -- JSON: the newest edit, where there is one
    deleted_by TEXT,                      -- who erased it for everyone: then only the frame of the body is left
    mentions_me INTEGER NOT NULL DEFAULT 0, -- whether it mentions the person
    expires INTEGER,                      -- seconds after which it disappears; NULL for never
    began_at INTEGER,                     -- when these began; NULL before it was shown, or sent
    ends_at INTEGER,                      -- when it is erased, at the latest
    event TEXT,                           -- JSON, of a row that is no message: what happened. Its state and trust say nothing
    -- Of the body, because it is looked for by them:
    signed_at INTEGER,                    -- its sentAt; NULL of a row that is no message
    heard_seq INTEGER,                    -- of what came: the number that its device gave it
    invites_to TEXT,                      -- of an invitation: the id of its group
    -- The last column: a row is read only as far as it is needed.
    body TEXT NOT NULL                    -- JSON, whole: later versions may understand more of it
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
  CREATE INDEX messages_by_place ON messages (conversation_id, place, late, id);
  CREATE INDEX messages_mentioning ON messages (conversation_id, id) WHERE mentions_me = 1;
  CREATE INDEX messages_late ON messages (conversation_id, place, late, id) WHERE late > 0;
  -- What a reaction, an edit or a reply names; also finds whether anything that a person wrote is here.
  CREATE INDEX messages_by_sender ON messages (sender, uid);
  -- What a device asks for again.
  CREATE INDEX messages_by_seq ON messages (conversation_id, seq) WHERE seq IS NOT NULL;
  -- Where belongs what comes late: beside what its author signed before and after it, and what had come by then.
  CREATE INDEX messages_by_author ON messages (conversation_id, sender, signed_at, place)
    WHERE event IS NULL AND trust IN ('self', 'verified');
  CREATE INDEX messages_by_arrival ON messages (conversation_id, stored_at, place) WHERE event IS NULL AND late = 0;
  -- What is not read of a device.
  CREATE INDEX messages_by_device ON messages (conversation_id, device_id, id, heard_seq)
    WHERE state = 'received' AND event IS NULL;
  CREATE INDEX messages_inviting ON messages (invites_to, sender, id) WHERE invites_to IS NOT NULL;
  CREATE INDEX messages_by_end ON messages (ends_at) WHERE ends_at IS NOT NULL;
  -- What begins to disappear when it is shown.
  CREATE INDEX messages_not_shown ON messages (conversation_id, id) WHERE began_at IS NULL AND expires IS NOT NULL;

  -- Files of messages. The sealed blob of each is on the disk, under its id (src/engine/files/store.ts).
  CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_key BLOB NOT NULL,
    digest BLOB,                          -- of the blob; NULL while it is being sealed
    size INTEGER NOT NULL,
    media_type TEXT,                      -- by the first bytes; NULL until the file is here
    is_here INTEGER NOT NULL DEFAULT 0,   -- 1: complete and verified on this disk
    is_prepared INTEGER NOT NULL DEFAULT 0, -- 1: not part of a message yet
    task TEXT CHECK (task IN ('upload', 'download')), -- NULL for none
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL DEFAULT 0,
    problem TEXT,                         -- JSON: failure of the last task
    automatic_for INTEGER,                -- conversation for which it was downloaded without a request
    UNIQUE (file_key, digest, size)
  ) STRICT;
  CREATE INDEX files_by_task ON files (size) WHERE task IS NOT NULL;
  CREATE INDEX files_automatic ON files (automatic_for, size) WHERE automatic_for IS NOT NULL;
  CREATE TABLE message_files (
    message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,               -- in the message, from 0
    file_id INTEGER NOT NULL REFERENCES files(id),
    conversation_id INTEGER NOT NULL,
    is_media INTEGER NOT NULL,            -- 1: claimed to be a picture or video
    PRIMARY KEY (message_id, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_files_by_type ON message_files (conversation_id, is_media, message_id);
  CREATE INDEX message_files_by_file ON message_files (file_id);
  -- Files to erase from the disk.
  CREATE TABLE removed_files (id INTEGER PRIMARY KEY) STRICT;
  CREATE TRIGGER files_without_message AFTER DELETE ON message_files
    WHEN NOT EXISTS (SELECT 1 FROM message_files WHERE file_id = old.file_id) BEGIN
      DELETE FROM files WHERE id = old.file_id;
    END;
  CREATE TRIGGER files_removed AFTER DELETE ON files BEGIN
    INSERT INTO removed_files (id) VALUES (old.id);
  END;
  -- Blobs of erased own messages, to delete at the relay.
  CREATE TABLE unwanted_blobs (
    id TEXT PRIMARY KEY,
    until INTEGER NOT NULL                -- the relay has deleted it then
  ) STRICT, WITHOUT ROWID;

  -- What people have set of messages: of each voice the newest. A version is sent_at, uid, sender, in this order.
  CREATE TABLE reactions (
    message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    voice TEXT NOT NULL,                  -- an address; or that of what nobody signed, or the key of a bot
    address TEXT NOT NULL,
    emoji TEXT NOT NULL,                  -- JSON; empty: taken back
    sent_at TEXT NOT NULL,
    uid TEXT NOT NULL,
    sender TEXT NOT NULL,
    PRIMARY KEY (message_id, voice)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE pins (
    message_id INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
    conversation_id INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    sent_at TEXT NOT NULL,
    uid TEXT NOT NULL,
    sender TEXT NOT NULL
  ) STRICT;
  CREATE INDEX pins_by_conversation ON pins (conversation_id, sent_at DESC) WHERE pinned = 1;
  -- Every edit that is kept; messages.edit has the newest.
  CREATE TABLE edits (
    message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    sent_at TEXT NOT NULL,
    uid TEXT NOT NULL,
    sender TEXT NOT NULL,
    content TEXT NOT NULL,                -- JSON
    PRIMARY KEY (message_id, uid)
  ) STRICT, WITHOUT ROWID;

  -- Controls that came before the message that they are about. One with several such messages stands here for each.
  CREATE TABLE pending_controls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    target_sender TEXT NOT NULL,
    target_uid TEXT NOT NULL,
    sender TEXT NOT NULL,
    uid TEXT NOT NULL,
    since INTEGER NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('direct', 'group')),
    body TEXT NOT NULL,                   -- JSON: sender, id, time and the fields of its kind, about this message alone
    proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
    bot TEXT,                             -- JSON: what wrote it in the place of a person; NULL for a person, and where that is not known
    manages INTEGER NOT NULL,             -- whether its sender has an owner's or admin's rights by the entry that it names
    received_at INTEGER NOT NULL,
    asked_for INTEGER NOT NULL,
    UNIQUE (conversation_id, target_sender, target_uid, sender, uid, proof)
  ) STRICT;
  CREATE INDEX pending_by_age ON pending_controls (conversation_id, sender, id);

  -- Own controls that have a number: a device may ask for them again.
  CREATE TABLE sent_controls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    body TEXT NOT NULL,                   -- JSON
    seq INTEGER NOT NULL,
    target TEXT,                          -- sender and id of the message that it is about; NULL for none, or several
    sent_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sent_controls_by_target ON sent_controls (conversation_id, target) WHERE target IS NOT NULL;
  CREATE INDEX sent_controls_by_seq ON sent_controls (conversation_id, seq);
  CREATE INDEX sent_controls_by_time ON sent_controls (sent_at);

  -- Devices of others whose messages are followed by their numbers.
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL,           -- the owner's address, or the id of a group
    address TEXT NOT NULL,
    device_id TEXT NOT NULL,
    since INTEGER NOT NULL,               -- epoch with which the person came into the group; 0 of a direct chat
    stranger INTEGER NOT NULL,            -- whether the person had not accepted its owner when it was heard last
    base INTEGER NOT NULL,
    high INTEGER NOT NULL,
    missing TEXT NOT NULL,                -- JSON: src/messaging/gaps/device-gaps.ts
    told INTEGER NOT NULL,                -- whether the person is told of one of them
    heard INTEGER NOT NULL,               -- rises: who was heard longest ago is forgotten first
    UNIQUE (conversation, device_id)
  ) STRICT;
  CREATE INDEX gaps_incomplete ON gaps (id) WHERE missing <> '[]';
  CREATE INDEX gaps_by_hearing ON gaps (heard);

  -- Messages of this device that other devices have asked for again, for a day.
  CREATE TABLE gap_asks (
    conversation TEXT NOT NULL,
    address TEXT NOT NULL,
    device_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    due_at INTEGER,                       -- NULL: it was answered
    resealed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (conversation, device_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX gap_asks_by_address ON gap_asks (address);
  CREATE INDEX gap_asks_due ON gap_asks (due_at) WHERE due_at IS NOT NULL;

  -- What people have said of the numbers of own devices (src/messaging/receipts/coverage.ts).
  CREATE TABLE receipts (
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    address TEXT NOT NULL,                -- who says it
    device_id TEXT NOT NULL,              -- whose numbers they are
    said TEXT NOT NULL,                   -- JSON
    heard_at INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, address, device_id)
  ) STRICT, WITHOUT ROWID;

  -- What authors are to be told of the numbers of their devices, and were told.
  CREATE TABLE due_receipts (
    conversation TEXT NOT NULL,
    device_id TEXT NOT NULL,
    address TEXT NOT NULL,
    plans INTEGER NOT NULL DEFAULT 0,     -- rises with everything that is to be told
    due_at INTEGER,                       -- NULL: nothing is to be told
    failures INTEGER NOT NULL DEFAULT 0,  -- how often that could not be sent
    said TEXT,                            -- JSON: what they were told last; NULL for nothing
    sent_at INTEGER NOT NULL DEFAULT 0,   -- when
    PRIMARY KEY (conversation, device_id),
    FOREIGN KEY (conversation, device_id) REFERENCES gaps (conversation, device_id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX due_receipts_by_time ON due_receipts (due_at) WHERE due_at IS NOT NULL;

  -- Which messages were taken, until none of them can come again.
  CREATE TABLE seen (
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,
    signed INTEGER NOT NULL,              -- 0: no device of the sender's. It does not stand in the way of a signed one
    at INTEGER NOT NULL,
    stranger INTEGER NOT NULL,            -- whether the person had not accepted its sender
    PRIMARY KEY (sender, uid, signed)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_by_time ON seen (at);
  CREATE INDEX seen_of_strangers ON seen (at) WHERE stranger = 1;
  CREATE INDEX seen_of_one_stranger ON seen (sender, at) WHERE stranger = 1;

  -- What this version does not understand, whole: a later version judges it again.
  CREATE TABLE unknown_contents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER REFERENCES conversations(id) ON DELETE CASCADE,
    channel TEXT NOT NULL CHECK (channel IN ('direct', 'group')),
    bytes INTEGER NOT NULL,
    proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
    bot TEXT,                             -- JSON: what wrote it in the place of a person; NULL for a person, and where that is not known
    manages INTEGER NOT NULL,             -- whether its sender has an owner's or admin's rights by the entry that it names
    device_id TEXT,                       -- that signed it; NULL where none did
    digest TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    asked_for INTEGER NOT NULL,
    suite INTEGER NOT NULL,               -- of the copy that came
    kinds TEXT NOT NULL,                  -- the kinds that the version knew that kept it
    ends_at INTEGER,                      -- when it is dropped, because it disappears; NULL if it does not
    body TEXT NOT NULL                    -- JSON
  ) STRICT;
  CREATE INDEX unknown_by_end ON unknown_contents (ends_at) WHERE ends_at IS NOT NULL;

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- A message, or a control.
    message_id INTEGER UNIQUE REFERENCES messages(id) ON DELETE CASCADE,
    control_id INTEGER UNIQUE REFERENCES sent_controls(id) ON DELETE CASCADE,
    conversation_id INTEGER NOT NULL,
    relay_url TEXT,                       -- to which it goes. NULL: the embedded relay, wherever it listens this time
    queued_at INTEGER NOT NULL,           -- since when it waits: a message that is retried waits again
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    waits INTEGER NOT NULL DEFAULT 0,     -- how often it has waited for devices that the relay does not show
    -- 1: all have their copies but members whose devices the relay does not show; later messages do not wait for it.
    held INTEGER NOT NULL DEFAULT 0,
    held_for TEXT,                        -- JSON: addresses of those members. Members who join later get nothing of it
    CHECK ((message_id IS NULL) <> (control_id IS NULL))
  ) STRICT;
  CREATE INDEX outbox_by_conversation ON outbox (conversation_id, id);

  -- Sealed copies, durable before the first byte goes out: a retry sends the same bytes, which the relay knows again.
  CREATE TABLE outbox_copies (
    outbox_id INTEGER NOT NULL REFERENCES outbox(id) ON DELETE CASCADE,
    recipient_key TEXT NOT NULL,
    envelope TEXT NOT NULL,               -- JSON, as it goes to the relay
    accepted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (outbox_id, recipient_key)
  ) STRICT, WITHOUT ROWID;

  -- Of what was refused, facts alone: with the bodies, a stranger could fill the disk.
  CREATE TABLE quarantine (
    envelope_id TEXT PRIMARY KEY,
    sender TEXT NOT NULL,
    code TEXT NOT NULL,                   -- why, of src/base/refused-sentences.ts
    parameters TEXT NOT NULL,             -- of the code, in JSON
    size INTEGER NOT NULL,                -- of the ciphertext, in characters
    quarantined_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX quarantine_by_sender ON quarantine (sender, quarantined_at);

  -- What own devices share. A version is sent_at, uid: the greater one stands.
  CREATE TABLE own_registers (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,                  -- JSON; null: taken away
    sent_at TEXT NOT NULL,
    uid BLOB NOT NULL,                    -- of the message that brings it
    known INTEGER NOT NULL,               -- whether this version knows the key and such a value
    device_id TEXT,                       -- of the own device that signed it; NULL: this one
    set_by TEXT,                          -- own device that set it first, by the word of the signer; NULL: the signer
    history TEXT NOT NULL DEFAULT '[]',   -- JSON: the last value of each other device before, newest first
    due INTEGER NOT NULL                  -- whether other devices are to be told
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX own_registers_due ON own_registers (sent_at, uid) WHERE due = 1;

  -- When own devices have read a conversation last, and up to where other devices are to be told that this one has.
  CREATE TABLE own_reads (
    conversation TEXT PRIMARY KEY,        -- an address, or the id of a group
    sent_at TEXT NOT NULL,                -- of the newest own.read
    uid BLOB NOT NULL,
    due TEXT                              -- JSON: the message, and version of the own.read to be sent; NULL for none
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX own_reads_due ON own_reads (conversation) WHERE due IS NOT NULL;

  -- Messages up to which another device has read, and that have not come here.
  CREATE TABLE own_reads_waiting (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    sender TEXT NOT NULL,
    uid BLOB NOT NULL,
    UNIQUE (conversation_id, sender, uid)
  ) STRICT;

  -- Whom to tell of the own device list.
  CREATE TABLE hellos (
    address TEXT PRIMARY KEY,
    due_at INTEGER,                       -- NULL: nothing is to be told
    after_sequence INTEGER NOT NULL,      -- number of the newest own list that they know, as far as known
    sent_at INTEGER                       -- when they were told last
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX hellos_due ON hellos (due_at) WHERE due_at IS NOT NULL;
  `,
];
