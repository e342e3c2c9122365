/**
 * The schema of the cache: tables, indexes and triggers, and nothing else. Until the first release a change edits it in place.
 * After that, each change is one more of the migrations (./migrations.ts). Queries belong in the other files of this folder.
 */

/** Triggers that note the range of each changed message while there is a folder for automatic backups. */
const rangeTriggers = (table: string, id: string): string =>
  (
    [
      ['INSERT', 'new'],
      ['UPDATE', 'new'],
      ['DELETE', 'old'],
    ] as const
  )
    .map(
      ([change, row]) => `
  CREATE TRIGGER ${table}_${change.toLowerCase()}_range AFTER ${change} ON ${table}
    WHEN EXISTS (SELECT 1 FROM backup_folder) BEGIN
    INSERT INTO changed_ranges (range, taken) VALUES (${row}.${id} >> 8, 0)
      ON CONFLICT (range) DO UPDATE SET taken = 0;
  END;`,
    )
    .join('');

/** Addresses are wire text, binary ids are blobs, times are milliseconds since 1970. */
export const schema = `
CREATE TABLE identity (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  address TEXT NOT NULL,
  wallet_key BLOB,                      -- NULL if the wallet is not stored here
  phrase TEXT,
  device_seed BLOB NOT NULL,
  relay_url TEXT,                       -- NULL: the embedded relay, at any port
  handle TEXT,
  display_name TEXT,
  developer_api INTEGER,                -- 1 if API keys work at the relay, by its last answer; NULL before the first
  registered_at INTEGER,                -- NULL until the relay has accepted a list with this device
  retention INTEGER,                    -- milliseconds: the longest that the relay reported
  read_to_end INTEGER,                  -- time at which the queue was last read to its end
  planned_list INTEGER NOT NULL DEFAULT 0, -- number of the newest own list with planned announcements
  synced_devices TEXT,                  -- JSON: ids of other own devices that have the shared settings; NULL before the first check
  seen_list INTEGER NOT NULL DEFAULT 0  -- number of the newest own list whose devices are in own_devices
) STRICT;

-- All known own device lists. Lists that the relay lost are published again.
CREATE TABLE own_lists (
  sequence INTEGER PRIMARY KEY,
  list TEXT NOT NULL                    -- JSON
) STRICT;

-- Devices of the newest own list, and devices that are being linked here.
CREATE TABLE own_devices (
  device_id TEXT NOT NULL UNIQUE,
  -- expected: being linked here. new: to be announced. shown: announced by a notification. known: needs no answer.
  state TEXT NOT NULL CHECK (state IN ('expected', 'new', 'shown', 'known')),
  type TEXT,                            -- 'app' or 'api'; NULL for an expected one
  added_at INTEGER                      -- milliseconds since 1970; NULL for an expected one
) STRICT;

CREATE TABLE seal_keys (
  sequence INTEGER PRIMARY KEY,
  secret BLOB NOT NULL,
  public_key TEXT NOT NULL UNIQUE,
  statement TEXT NOT NULL,              -- JSON: the signed statement
  created_at INTEGER NOT NULL,
  accepted_at INTEGER                   -- time at which the relay accepted the statement; NULL before
) STRICT;

CREATE TABLE contacts (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  handle TEXT,
  display_name TEXT,
  handle_verified INTEGER NOT NULL DEFAULT 0,
  mark_lost INTEGER NOT NULL DEFAULT 0, -- 1 if the relay took the mark of a verified handle away: it returns only on request
  trust TEXT,                           -- JSON: src/messaging/trust/address-trust.ts. NULL if nothing was seen
  seal_keys TEXT NOT NULL DEFAULT '[]', -- JSON: statements proven against the pinned list
  fetched_at INTEGER NOT NULL DEFAULT 0,
  next_seq INTEGER NOT NULL DEFAULT 1,  -- counter in the payloads that this device sends to them
  first_seen_at INTEGER NOT NULL,
  timer TEXT,                           -- JSON: the timer of the conversation; NULL: never set
  timer_device TEXT,                    -- the other own device that set the timer; NULL: this one, or the partner
  timer_by TEXT,                        -- the device that set it first, according to that one; NULL: the same
  timer_history TEXT NOT NULL DEFAULT '[]', -- JSON: the last earlier value of each device, newest first, if it has one
  had_chat INTEGER NOT NULL DEFAULT 0   -- 1 if the person deleted an accepted chat with them, 2 if only at the source of a history
) STRICT;

CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id TEXT NOT NULL UNIQUE,        -- hash of its first entry
  hash TEXT NOT NULL,                   -- of the newest folded entry: it is pinned; empty before the first
  state TEXT NOT NULL,                  -- JSON: the folded chain
  members TEXT NOT NULL,                -- JSON: wire addresses, of the state
  notes TEXT NOT NULL,                  -- JSON: obstacles to sending, and the person's decisions
  verified INTEGER NOT NULL DEFAULT 0,  -- 1 if the relay's operator verified the name
  joined INTEGER NOT NULL,              -- 0: left or removed
  fetched_at INTEGER NOT NULL DEFAULT 0,
  next_seq INTEGER NOT NULL DEFAULT 1   -- counter in the payloads that this device sends to it
) STRICT;

-- Entries of groups' chains: the fields for look-ups, and the newest entries whole, for members from whom they are hidden.
CREATE TABLE group_entries (
  group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  epoch INTEGER NOT NULL,
  hash TEXT NOT NULL,
  past TEXT NOT NULL,                   -- JSON
  entry TEXT,                           -- JSON, as signed
  PRIMARY KEY (group_id, epoch)
) STRICT, WITHOUT ROWID;

-- Fields of groups that the person set last, for the question about changes of a removed device.
CREATE TABLE own_group_changes (
  group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  field TEXT NOT NULL,                  -- src/protocol/roster/set-fields.ts
  epoch INTEGER NOT NULL,               -- of the entry
  device_id TEXT NOT NULL,              -- of the person, that signed the entry or its ticket
  value TEXT NOT NULL,                  -- JSON, as the following two
  base TEXT NOT NULL,                   -- value before the person's devices
  history TEXT NOT NULL,                -- the last value of each other device before, newest first
  PRIMARY KEY (group_id, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX own_group_changes_by_device ON own_group_changes (device_id, group_id, epoch);

-- Messages that name an entry hidden by the relay, for a day at most.
CREATE TABLE held_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  sender TEXT NOT NULL,
  uid TEXT NOT NULL,
  body TEXT NOT NULL,                   -- JSON
  bytes INTEGER NOT NULL,
  proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
  bot TEXT,                             -- JSON: the program that wrote it; NULL for a person or unknown
  requested INTEGER NOT NULL,           -- 1 if it was requested because it was missing
  received_at INTEGER NOT NULL,
  device_id TEXT,                       -- that signed it; NULL for none
  digest TEXT NOT NULL,
  suite INTEGER NOT NULL,               -- of the received copy: src/protocol/envelope-form.ts
  UNIQUE (group_id, sender, uid, proof)
) STRICT;

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER UNIQUE REFERENCES contacts(id),
  group_id INTEGER UNIQUE REFERENCES groups(id),
  state TEXT NOT NULL CHECK (state IN ('accepted', 'request', 'blocked')),
  before_block TEXT CHECK (before_block IN ('accepted', 'request')), -- state to which the end of a block returns; NULL: none
  draft TEXT NOT NULL DEFAULT '',
  draft_mentions TEXT NOT NULL DEFAULT '[]', -- JSON: mentions in the draft, by places in UTF-16
  unread INTEGER NOT NULL DEFAULT 0,
  last_read_id INTEGER NOT NULL DEFAULT 0,
  last_message_id INTEGER,
  -- Number of devices added and removed since the person was informed; NULL for none.
  devices_changed_at INTEGER,
  devices_added INTEGER NOT NULL DEFAULT 0,
  devices_removed INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL,
  last_sent_at INTEGER NOT NULL DEFAULT 0, -- the latest sentAt in a body by this device
  failures INTEGER NOT NULL DEFAULT 0,  -- number of times that sending a message failed, retries included
  drawn INTEGER NOT NULL DEFAULT 0,     -- of a request: the used budget of its sender, in bytes (strangers.ts)
  profile TEXT,                         -- digest of the own profile as last sent to it; NULL: never
  profile_sent_at TEXT NOT NULL DEFAULT '', -- sentAt of that
  profile_elsewhere INTEGER NOT NULL DEFAULT 0, -- 1: another own device sent it
  invite_token TEXT,                    -- of the invite link that the person followed; NULL after the first sent message
  CHECK ((contact_id IS NULL) <> (group_id IS NULL))
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at DESC);
CREATE INDEX conversations_requested ON conversations (updated_at DESC, id DESC) WHERE state = 'request';

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of arrival
  conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,               -- the order of the timeline: the own id, or that of the message before it
  late INTEGER NOT NULL DEFAULT 0,      -- of a late message: its sentAt, which orders those of one place
  sender TEXT NOT NULL,
  uid BLOB NOT NULL,                    -- the 16 bytes in the payload
  sent_at INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'received')),
  trust TEXT NOT NULL CHECK (trust IN ('self', 'verified', 'bot', 'api', 'token', 'imported')),
  bot TEXT,                             -- JSON: the program that wrote it; NULL for a person or unknown
  roster TEXT,                          -- JSON: notes beside it, by the chain of its group
  problem TEXT,
  seq INTEGER,                          -- of a message by this device: the number of its payload
  device_id TEXT,                       -- that signed it; NULL for none
  digest TEXT,                          -- of the signed body; NULL until it is sealed
  received_at INTEGER NOT NULL DEFAULT 0, -- as counted here: src/messaging/trust/received-at.ts
  suite INTEGER,                        -- of the received copy; the lowest of sent copies; NULL until it is sealed
  edit TEXT,                            -- JSON: the newest edit; NULL for none
  deleted_by TEXT,                      -- the person who erased it for everyone: only the frame of the body is left
  mentions_me INTEGER NOT NULL DEFAULT 0, -- 1 if it mentions the person
  expires INTEGER,                      -- seconds after which it disappears; NULL for never
  began_at INTEGER,                     -- beginning of these; NULL before it is shown or sent
  ends_at INTEGER,                      -- latest time of its erasure
  event TEXT,                           -- JSON, of a row that is not a message: the event. Its state and trust are unused
  -- Fields of the body that are looked up:
  signed_at INTEGER,                    -- its sentAt; NULL for a row that is not a message
  received_seq INTEGER,                    -- of a received message: the number from its device
  invites_to TEXT,                      -- of an invitation: the id of its group
  -- The last column, because a row is read only up to the last needed one.
  body TEXT NOT NULL                    -- JSON, whole: later versions may know more of its fields
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
CREATE INDEX messages_by_place ON messages (conversation_id, place, late, id);
CREATE INDEX messages_mentioning ON messages (conversation_id, id) WHERE mentions_me = 1;
CREATE INDEX messages_late ON messages (conversation_id, place, late, id) WHERE late > 0;
-- Look-up of the target of a reaction, edit or reply; and of any message of an author.
CREATE INDEX messages_by_sender ON messages (sender, uid);
-- Look-up of messages that a device requests again.
CREATE INDEX messages_by_seq ON messages (conversation_id, seq) WHERE seq IS NOT NULL;
-- Place of a late message: between its author's neighbouring messages, and those that had arrived by then.
CREATE INDEX messages_by_author ON messages (conversation_id, sender, signed_at, place)
  WHERE event IS NULL AND trust IN ('self', 'verified');
CREATE INDEX messages_by_arrival ON messages (conversation_id, stored_at, place) WHERE event IS NULL AND late = 0;
-- Unread messages, and those of a device among them: counted without reading the messages. Rows of events are 'sent'.
CREATE INDEX messages_received ON messages (conversation_id, id, device_id, received_seq) WHERE state = 'received';
-- Messages by the devices of the person, for the question about those of a removed one.
CREATE INDEX messages_by_device ON messages (device_id, conversation_id, id)
  WHERE trust = 'self' AND device_id IS NOT NULL AND event IS NULL AND deleted_by IS NULL;
CREATE INDEX messages_inviting ON messages (invites_to, sender, id) WHERE invites_to IS NOT NULL;
-- Whole: each start compares the three of all disappearing messages.
CREATE INDEX messages_by_end ON messages (ends_at, expires, began_at) WHERE ends_at IS NOT NULL;
-- Times in the future are looked for whenever the relay is back: cache/future-times.ts.
CREATE INDEX messages_edited ON messages (edit ->> '$.sentAt') WHERE edit IS NOT NULL;
CREATE INDEX messages_failed ON messages (conversation_id) WHERE state = 'failed';
-- Messages whose lifetime begins when they are shown.
CREATE INDEX messages_not_shown ON messages (conversation_id, id) WHERE began_at IS NULL AND expires IS NOT NULL;

-- The search index (search-index.ts): messages to index again, and its parts. The part n is the table search_<n>.
CREATE TABLE search_changes (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE search_parts (
  part INTEGER PRIMARY KEY,
  is_dirty INTEGER NOT NULL DEFAULT 0,  -- 1: it is to be merged whole; 2: it is being merged; 3: both
  updates INTEGER NOT NULL DEFAULT 0    -- since the last merge; each adds a segment
) STRICT;
CREATE TABLE search_version (one INTEGER PRIMARY KEY CHECK (one = 1), version TEXT NOT NULL) STRICT;
CREATE TRIGGER messages_added AFTER INSERT ON messages WHEN new.event IS NULL BEGIN
  INSERT OR IGNORE INTO search_changes (id) VALUES (new.id);
END;
CREATE TRIGGER messages_changed AFTER UPDATE OF body, edit, deleted_by ON messages
  -- The number that a body gets before its sending changes no text.
  WHEN new.event IS NULL AND (new.edit IS NOT old.edit OR new.deleted_by IS NOT old.deleted_by
    OR json_extract(new.body, '$.text', '$.caption', '$.files')
      IS NOT json_extract(old.body, '$.text', '$.caption', '$.files')) BEGIN
  INSERT OR IGNORE INTO search_changes (id) VALUES (new.id);
END;
CREATE TRIGGER messages_removed AFTER DELETE ON messages WHEN old.event IS NULL BEGIN
  INSERT OR IGNORE INTO search_changes (id) VALUES (old.id);
END;

-- Files of messages. The sealed blob of each is on the disk, under its id (src/engine/files/store.ts).
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_key BLOB NOT NULL,
  digest BLOB,                          -- of the blob; NULL while it is being sealed
  size INTEGER NOT NULL,
  blob_length INTEGER NOT NULL,         -- bytes on the disk
  type TEXT,                            -- 'image', 'video', 'audio' or 'other', by the claim of its first message; NULL before
  media_type TEXT,                      -- by the first bytes; NULL until the file is here
  is_here INTEGER NOT NULL DEFAULT 0,   -- 1: complete and verified on this disk
  here_since INTEGER NOT NULL DEFAULT 0, -- time of the last change of is_here to 1
  is_cleared INTEGER NOT NULL DEFAULT 0, -- 1: removed from this disk by the person or their setting, and not requested since
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
CREATE INDEX files_here ON files (here_since, id) WHERE is_here = 1;
CREATE TABLE message_files (
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,               -- in the message, from 0
  file_id INTEGER NOT NULL REFERENCES files(id),
  conversation_id INTEGER NOT NULL,
  is_media INTEGER NOT NULL,            -- 1: claimed to be a picture or video
  until INTEGER NOT NULL,               -- time of its deletion at the relay
  PRIMARY KEY (message_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_files_by_type ON message_files (conversation_id, is_media, message_id);
CREATE INDEX message_files_by_end ON message_files (conversation_id, until);
CREATE INDEX message_files_by_file ON message_files (file_id, conversation_id);
-- Profiles of people, as they describe themselves, and pictures of groups. A version is sent_at, uid, sender.
CREATE TABLE faces (
  owner TEXT PRIMARY KEY,               -- an address, or the id of a group
  name TEXT,                            -- NULL of a group, and of the person themselves
  about TEXT,
  picture TEXT,                         -- JSON: the reference by its sender; NULL for none
  file_id INTEGER REFERENCES files(id),
  former_file_id INTEGER REFERENCES files(id), -- the picture before, until that of file_id is here or failed
  requested_at INTEGER NOT NULL DEFAULT 0,  -- time of the last planned download
  kept_at INTEGER NOT NULL DEFAULT 0,   -- time at which this account renewed its claim on the blob
  name_line_at INTEGER NOT NULL DEFAULT 0, -- time of the last line about a change
  picture_line_at INTEGER NOT NULL DEFAULT 0,
  sent_at TEXT NOT NULL,
  uid TEXT NOT NULL,
  sender TEXT NOT NULL,
  device_id TEXT                        -- the other own device that signed the picture of a group; NULL for all others
) STRICT, WITHOUT ROWID;
CREATE INDEX faces_by_device ON faces (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX faces_by_file ON faces (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX faces_by_former_file ON faces (former_file_id) WHERE former_file_id IS NOT NULL;
CREATE VIEW face_files AS
  SELECT owner, file_id FROM faces WHERE file_id IS NOT NULL
  UNION ALL SELECT owner, former_file_id FROM faces WHERE former_file_id IS NOT NULL;
CREATE TRIGGER former_pictures_replaced AFTER UPDATE OF is_here ON files WHEN new.is_here > old.is_here BEGIN
  UPDATE faces SET former_file_id = NULL WHERE file_id = new.id AND former_file_id IS NOT NULL;
END;
CREATE TRIGGER former_pictures_lost AFTER UPDATE OF is_here ON files WHEN new.is_here < old.is_here BEGIN
  UPDATE faces SET former_file_id = NULL WHERE former_file_id = new.id;
END;
CREATE TRIGGER former_pictures_outdated AFTER UPDATE OF problem ON files
  WHEN new.problem IS NOT NULL AND new.is_here = 0 BEGIN
  UPDATE faces SET former_file_id = NULL WHERE file_id = new.id AND former_file_id IS NOT NULL;
END;

-- Files to erase from the disk. One whose row is still there can be downloaded again afterwards.
CREATE TABLE removed_files (id INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER files_without_message AFTER DELETE ON message_files
  WHEN NOT EXISTS (SELECT 1 FROM message_files WHERE file_id = old.file_id)
    AND NOT EXISTS (SELECT 1 FROM face_files WHERE file_id = old.file_id) BEGIN
    DELETE FROM files WHERE id = old.file_id;
  END;
CREATE TRIGGER files_of_removed_face AFTER DELETE ON faces BEGIN
  DELETE FROM files WHERE id IN (old.file_id, old.former_file_id)
    AND NOT EXISTS (SELECT 1 FROM message_files WHERE file_id = files.id)
    AND NOT EXISTS (SELECT 1 FROM face_files WHERE file_id = files.id);
END;
CREATE TRIGGER files_without_face AFTER UPDATE OF file_id, former_file_id ON faces BEGIN
  DELETE FROM files WHERE id IN (old.file_id, old.former_file_id)
    AND NOT EXISTS (SELECT 1 FROM message_files WHERE file_id = files.id)
    AND NOT EXISTS (SELECT 1 FROM face_files WHERE file_id = files.id);
END;
CREATE TRIGGER files_removed AFTER DELETE ON files BEGIN
  INSERT OR IGNORE INTO removed_files (id) VALUES (old.id);
END;
-- Files on the disk, by chat and type; of all chats under conversation 0. A file in several messages of a chat counts once.
CREATE TABLE disk_use (
  conversation_id INTEGER NOT NULL,
  type TEXT NOT NULL,                   -- that of the files; 'all' under conversation 0
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, type)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER disk_use_ended AFTER UPDATE ON disk_use WHEN new.files = 0 BEGIN
  DELETE FROM disk_use WHERE conversation_id = new.conversation_id AND type = new.type;
END;
CREATE TRIGGER disk_use_placed AFTER INSERT ON message_files
  WHEN NOT EXISTS (
    SELECT 1 FROM message_files
     WHERE file_id = new.file_id AND conversation_id = new.conversation_id
       AND (message_id, place) <> (new.message_id, new.place)) BEGIN
    INSERT INTO disk_use (conversation_id, type, files, bytes)
      SELECT new.conversation_id, type, 1, blob_length FROM files WHERE id = new.file_id AND is_here = 1
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
  END;
-- Before: the row of the file is removed with its last message.
CREATE TRIGGER disk_use_detached BEFORE DELETE ON message_files
  WHEN NOT EXISTS (
    SELECT 1 FROM message_files
     WHERE file_id = old.file_id AND conversation_id = old.conversation_id
       AND (message_id, place) <> (old.message_id, old.place)) BEGIN
    UPDATE disk_use SET files = disk_use.files - 1, bytes = bytes - f.blob_length
      FROM (SELECT type, blob_length FROM files WHERE id = old.file_id AND is_here = 1) f
     WHERE conversation_id = old.conversation_id AND disk_use.type = f.type;
  END;
CREATE TRIGGER disk_use_arrived AFTER UPDATE OF is_here ON files WHEN new.is_here > old.is_here BEGIN
  INSERT INTO disk_use (conversation_id, type, files, bytes)
    SELECT 0, 'all', 1, new.blob_length
    UNION ALL SELECT DISTINCT conversation_id, new.type, 1, new.blob_length FROM message_files WHERE file_id = new.id
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER disk_use_lost AFTER UPDATE OF is_here ON files WHEN new.is_here < old.is_here BEGIN
  UPDATE disk_use SET files = files - 1, bytes = bytes - new.blob_length
   WHERE (conversation_id = 0 AND type = 'all')
      OR (type = new.type AND conversation_id IN (SELECT conversation_id FROM message_files WHERE file_id = new.id));
END;
CREATE TRIGGER disk_use_removed AFTER DELETE ON files WHEN old.is_here = 1 BEGIN
  UPDATE disk_use SET files = files - 1, bytes = bytes - old.blob_length WHERE conversation_id = 0 AND type = 'all';
END;
-- Blobs of erased own messages, to delete at the relay.
CREATE TABLE unwanted_blobs (
  id TEXT PRIMARY KEY,
  until INTEGER NOT NULL                -- the relay has deleted it then
) STRICT, WITHOUT ROWID;

-- Links in the current text of messages.
CREATE TABLE message_links (
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,               -- among the links of its message, from 0
  conversation_id INTEGER NOT NULL,
  href TEXT NOT NULL,
  PRIMARY KEY (message_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_links_by_chat ON message_links (conversation_id, message_id, place);

-- Reactions, edits and pins of messages: the newest of each author. A version is sent_at, uid, sender, in this order.
CREATE TABLE reactions (
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  voice TEXT NOT NULL,                  -- an address, the mark of unsigned messages, or the key of a bot
  address TEXT NOT NULL,
  emoji TEXT NOT NULL,                  -- JSON; empty: removed
  sent_at TEXT NOT NULL,
  uid TEXT NOT NULL,
  sender TEXT NOT NULL,
  PRIMARY KEY (message_id, voice)
) STRICT, WITHOUT ROWID;
CREATE INDEX reactions_by_time ON reactions (sent_at);
CREATE TABLE pins (
  message_id INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
  conversation_id INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  sent_at TEXT NOT NULL,
  uid TEXT NOT NULL,
  sender TEXT NOT NULL
) STRICT;
CREATE INDEX pins_by_conversation ON pins (conversation_id, sent_at DESC) WHERE pinned = 1;
-- All stored edits; messages.edit has the newest.
CREATE TABLE edits (
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  sent_at TEXT NOT NULL,
  uid TEXT NOT NULL,
  sender TEXT NOT NULL,
  content TEXT NOT NULL,                -- JSON
  PRIMARY KEY (message_id, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX edits_by_time ON edits (sent_at);

-- Controls that arrived before their message. One with several targets has a row for each.
CREATE TABLE pending_controls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  target_sender TEXT NOT NULL,
  target_uid TEXT NOT NULL,
  sender TEXT NOT NULL,
  uid TEXT NOT NULL,
  since INTEGER NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('direct', 'group')),
  body TEXT NOT NULL,                   -- JSON: sender, id, time and the fields of its kind, for this message only
  proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
  bot TEXT,                             -- JSON: the program that wrote it; NULL for a person or unknown
  manages INTEGER NOT NULL,             -- 1 if its sender has an owner's or admin's rights by the named entry
  received_at INTEGER NOT NULL,
  requested INTEGER NOT NULL,
  UNIQUE (conversation_id, target_sender, target_uid, sender, uid, proof)
) STRICT;
CREATE INDEX pending_by_age ON pending_controls (conversation_id, sender, id);

-- Own controls with a number: a device may request them again.
CREATE TABLE sent_controls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  body TEXT NOT NULL,                   -- JSON
  seq INTEGER NOT NULL,
  target TEXT,                          -- sender and id of its target; NULL for none or several
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_controls_by_target ON sent_controls (conversation_id, target) WHERE target IS NOT NULL;
CREATE INDEX sent_controls_by_seq ON sent_controls (conversation_id, seq);
CREATE INDEX sent_controls_by_time ON sent_controls (sent_at);

-- Devices of others whose message numbers are followed.
CREATE TABLE gaps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation TEXT NOT NULL,           -- the owner's address, or the id of a group
  address TEXT NOT NULL,
  device_id TEXT NOT NULL,
  since INTEGER NOT NULL,               -- epoch of the person's join; 0 in a direct chat
  stranger INTEGER NOT NULL,            -- 1 if its owner was not accepted at its last message
  base INTEGER NOT NULL,
  high INTEGER NOT NULL,
  missing TEXT NOT NULL,                -- JSON: src/messaging/gaps/device-gaps.ts
  reported INTEGER NOT NULL,            -- 1 if one of them is shown to the person
  heard INTEGER NOT NULL,               -- rises: the lowest is forgotten first
  UNIQUE (conversation, device_id)
) STRICT;
CREATE INDEX gaps_incomplete ON gaps (id) WHERE missing <> '[]';
CREATE INDEX gaps_by_hearing ON gaps (heard);

-- Messages of this device that other devices requested again, for a day.
CREATE TABLE gap_requests (
  conversation TEXT NOT NULL,
  address TEXT NOT NULL,
  device_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  due_at INTEGER,                       -- NULL: answered
  resealed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conversation, device_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX gap_requests_by_address ON gap_requests (address);
CREATE INDEX gap_requests_due ON gap_requests (due_at) WHERE due_at IS NOT NULL;

-- Receipts of people about the numbers of own devices (src/messaging/receipts/coverage.ts).
CREATE TABLE receipts (
  conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  address TEXT NOT NULL,                -- sender of the receipt
  device_id TEXT NOT NULL,              -- the device with these numbers
  reported TEXT NOT NULL,               -- JSON
  last_received_at INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, address, device_id)
) STRICT, WITHOUT ROWID;

-- Receipts for authors about the numbers of their devices: due and sent.
CREATE TABLE due_receipts (
  conversation TEXT NOT NULL,
  device_id TEXT NOT NULL,
  address TEXT NOT NULL,
  plans INTEGER NOT NULL DEFAULT 0,     -- rises with each planned receipt
  due_at INTEGER,                       -- NULL: nothing is due
  failures INTEGER NOT NULL DEFAULT 0,  -- number of failed attempts
  reported TEXT,                        -- JSON: the last receipt; NULL for none
  sent_at INTEGER NOT NULL DEFAULT 0,   -- time of sending
  PRIMARY KEY (conversation, device_id),
  FOREIGN KEY (conversation, device_id) REFERENCES gaps (conversation, device_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX due_receipts_by_time ON due_receipts (due_at) WHERE due_at IS NOT NULL;

-- Accepted messages, until none of them can arrive again.
CREATE TABLE seen (
  sender TEXT NOT NULL,
  uid BLOB NOT NULL,
  signed INTEGER NOT NULL,              -- 0: no device of the sender's. It does not block a signed one
  at INTEGER NOT NULL,
  stranger INTEGER NOT NULL,            -- 1 if its sender was not accepted
  PRIMARY KEY (sender, uid, signed)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_by_time ON seen (at);
CREATE INDEX seen_of_strangers ON seen (at) WHERE stranger = 1;
CREATE INDEX seen_of_one_stranger ON seen (sender, at) WHERE stranger = 1;

-- Unknown contents, whole: a later version judges them again.
CREATE TABLE unknown_contents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER REFERENCES conversations(id) ON DELETE CASCADE,
  channel TEXT NOT NULL CHECK (channel IN ('direct', 'group')),
  bytes INTEGER NOT NULL,
  proof TEXT NOT NULL CHECK (proof IN ('signed', 'bot', 'api', 'token')),
  bot TEXT,                             -- JSON: the program that wrote it; NULL for a person or unknown
  manages INTEGER NOT NULL,             -- 1 if its sender has an owner's or admin's rights by the named entry
  device_id TEXT,                       -- that signed it; NULL for none
  digest TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  requested INTEGER NOT NULL,
  suite INTEGER NOT NULL,               -- of the received copy
  kinds TEXT NOT NULL,                  -- known kinds of the version that stored it
  ends_at INTEGER,                      -- time at which it disappears; NULL for never
  body TEXT NOT NULL                    -- JSON
) STRICT;
CREATE INDEX unknown_by_end ON unknown_contents (ends_at) WHERE ends_at IS NOT NULL;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A message or a control.
  message_id INTEGER UNIQUE REFERENCES messages(id) ON DELETE CASCADE,
  control_id INTEGER UNIQUE REFERENCES sent_controls(id) ON DELETE CASCADE,
  conversation_id INTEGER NOT NULL,
  relay_url TEXT,                       -- destination. NULL: the embedded relay, at any port
  queued_at INTEGER NOT NULL,           -- start of its waiting: a retry starts it again
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  waits INTEGER NOT NULL DEFAULT 0,     -- number of waits for hidden devices
  -- 1: only members with hidden devices lack their copies; later messages do not wait for it.
  held INTEGER NOT NULL DEFAULT 0,
  held_for TEXT,                        -- JSON: addresses of those members. Members who join later get no copy
  CHECK ((message_id IS NULL) <> (control_id IS NULL))
) STRICT;
CREATE INDEX outbox_by_conversation ON outbox (conversation_id, id);

-- Sealed copies, durable before the first byte is sent: a retry sends the same bytes, which the relay recognizes.
CREATE TABLE outbox_copies (
  outbox_id INTEGER NOT NULL REFERENCES outbox(id) ON DELETE CASCADE,
  recipient_key TEXT NOT NULL,
  envelope TEXT NOT NULL,               -- JSON, as sent to the relay
  accepted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (outbox_id, recipient_key)
) STRICT, WITHOUT ROWID;

-- Refused envelopes: only facts. With their bodies a stranger could fill the disk.
CREATE TABLE quarantine (
  envelope_id TEXT PRIMARY KEY,
  sender TEXT NOT NULL,
  code TEXT NOT NULL,                   -- the reason, of src/base/refused-sentences.ts
  parameters TEXT NOT NULL,             -- of the code, in JSON
  size INTEGER NOT NULL,                -- of the ciphertext, in characters
  quarantined_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quarantine_by_sender ON quarantine (sender, quarantined_at);

-- Settings shared by own devices. A version is sent_at, uid: the greater one counts.
CREATE TABLE own_registers (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,                  -- JSON; null: removed
  sent_at TEXT NOT NULL,
  uid BLOB NOT NULL,                    -- of its message
  known INTEGER NOT NULL,               -- 1 if this version knows the key with such a value
  device_id TEXT,                       -- of the own device that signed it; NULL: this one
  set_at TEXT NOT NULL,                 -- sent_at of the first message with this value; a repeated value has a later one
  set_by TEXT,                          -- own device that set it first, according to the signer; NULL: the signer
  history TEXT NOT NULL DEFAULT '[]',   -- JSON: the last value of each other device before, newest first
  due INTEGER NOT NULL                  -- 1 if it must be sent to other devices
) STRICT, WITHOUT ROWID;
CREATE INDEX own_registers_due ON own_registers (sent_at, uid) WHERE due = 1;

-- Last time at which own devices read a conversation, and the position to announce to the other devices.
CREATE TABLE own_reads (
  conversation TEXT PRIMARY KEY,        -- an address, or the id of a group
  sent_at TEXT NOT NULL,                -- of the newest own.read
  uid BLOB NOT NULL,
  due TEXT                              -- JSON: the message, and version of the own.read to be sent; NULL for none
) STRICT, WITHOUT ROWID;
CREATE INDEX own_reads_due ON own_reads (conversation) WHERE due IS NOT NULL;

-- Read positions of other devices at messages that have not arrived here.
CREATE TABLE own_reads_waiting (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  sender TEXT NOT NULL,
  uid BLOB NOT NULL,
  UNIQUE (conversation_id, sender, uid)
) STRICT;

-- The last complete backup.
CREATE TABLE last_backup (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  missing_files INTEGER NOT NULL
) STRICT;
-- Time of the next reminder of a missing backup.
CREATE TABLE backup_reminder (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at INTEGER NOT NULL
) STRICT;
-- The folder for automatic backups.
CREATE TABLE backup_folder (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  path TEXT NOT NULL,
  header TEXT NOT NULL,                 -- JSON: the header of its backups
  backup_key BLOB NOT NULL,
  digest TEXT,                          -- of the manifest of its last backup; NULL before the first
  at INTEGER                            -- time of its last backup; NULL before the first
) STRICT;
-- Ranges of messages that changed since the last automatic backup: message numbers divided by 256.
CREATE TABLE changed_ranges (
  range INTEGER PRIMARY KEY,
  taken INTEGER NOT NULL                -- 1: the running backup has them, or one that was interrupted
) STRICT;
${rangeTriggers('messages', 'id')}
${rangeTriggers('reactions', 'message_id')}
${rangeTriggers('pins', 'message_id')}
${rangeTriggers('edits', 'message_id')}
-- A restore that is not complete.
CREATE TABLE restore (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  path TEXT NOT NULL,
  backup_key BLOB NOT NULL,
  backup_digest TEXT NOT NULL,
  shift INTEGER NOT NULL,               -- numbers of merged messages: src/engine/history/merge.ts
  ceiling INTEGER NOT NULL,
  done INTEGER NOT NULL,                -- number of merged blocks and restored files
  left_out INTEGER NOT NULL,            -- number of records in these blocks that were left out
  skipped INTEGER NOT NULL              -- number of newer backups in the chosen folder that could not be opened
) STRICT;

-- The history for newly linked computers that this one sends.
CREATE TABLE history_sending (
  device_id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('offered', 'refused', 'sending', 'ending', 'missed', 'back')),
  last_received_at INTEGER NOT NULL,            -- time of the linking, of the last offer, or of its last request
  snapshot TEXT,                        -- NULL before its first request
  stage TEXT NOT NULL CHECK (stage IN ('people', 'messages', 'files', 'complete')), -- of the next part
  next INTEGER NOT NULL,                -- messages, or files, below this number are left
  offset INTEGER NOT NULL,              -- bytes of the next file in earlier parts
  last_arrival INTEGER NOT NULL,        -- greatest number of a message at its beginning
  made INTEGER NOT NULL,                -- number of parts
  received INTEGER NOT NULL,            -- number of parts that the computer has
  parts INTEGER NOT NULL                -- estimated number of all; 0 before the first
) STRICT, WITHOUT ROWID;
-- The history that this linked computer requests.
CREATE TABLE history_receiving (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  state TEXT NOT NULL CHECK (state IN ('receiving', 'ending', 'complete', 'stopped')),
  snapshot TEXT NOT NULL,
  device_id TEXT,                       -- the sender; NULL before its first part
  last_received_at INTEGER NOT NULL,            -- time of the linking, or of the last part
  merged INTEGER NOT NULL,              -- number of parts
  parts INTEGER NOT NULL,               -- number of all, estimated by the sender; 0 before the first
  requested INTEGER NOT NULL,           -- part of the last request; 0 for none
  requested_at INTEGER NOT NULL,            -- time of the linking, or of the last request
  shift INTEGER,                        -- numbers of merged messages: src/engine/history/merge.ts
  ceiling INTEGER
) STRICT;
-- Parts of these histories that are stored here as files.
CREATE TABLE history_parts (
  device_id TEXT NOT NULL,              -- the recipient; empty for this computer
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  file_id INTEGER NOT NULL UNIQUE,
  is_sent INTEGER NOT NULL,             -- 1: the recipient was informed
  PRIMARY KEY (device_id, part)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER history_parts_removed AFTER DELETE ON history_parts BEGIN
  DELETE FROM files WHERE id = old.file_id;
END;

-- Recipients of announcements of the own device list.
CREATE TABLE hellos (
  address TEXT PRIMARY KEY,
  due_at INTEGER,                       -- NULL: nothing is due
  after_sequence INTEGER NOT NULL,      -- number of their newest known own list
  sent_at INTEGER                       -- time of the last announcement
) STRICT, WITHOUT ROWID;
CREATE INDEX hellos_due ON hellos (due_at) WHERE due_at IS NOT NULL;
`;
