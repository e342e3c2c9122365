/** Accounts, their credentials and devices, and the data of logins. */
import type { ColumnTypes } from './types.ts';

export const accounts = (types: ColumnTypes): string => `
CREATE TABLE account (
  id            ${types.key},
  address       ${types.bytes} NOT NULL UNIQUE CHECK (length(address) = 20),
  display_name  ${types.text},
  developer_api ${types.integer} NOT NULL DEFAULT 0,
  created_at    ${types.integer} NOT NULL,
  queues        ${types.integer} NOT NULL DEFAULT 0, -- number of queues that its devices have had, including deleted ones
  suspended_at  ${types.integer},
  deletes_at    ${types.integer}, -- time of its deletion; null unless a device requested it
  deleted_at    ${types.integer} -- the row remains: old device lists, memberships and mail refer to it
)${types.inOrder};
CREATE INDEX account_deletion ON account (deletes_at) WHERE deletes_at IS NOT NULL;

-- Invitation codes for new accounts, where the relay requires them.
CREATE TABLE account_invitation (
  id         ${types.key},
  public_id  ${types.text} NOT NULL UNIQUE,
  digest     ${types.bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
  maker_id   ${types.integer} REFERENCES account (id), -- null: made by the operator
  uses       ${types.integer} NOT NULL,
  uses_left  ${types.integer} NOT NULL,
  created_at ${types.integer} NOT NULL,
  expires_at ${types.integer} NOT NULL
)${types.inOrder};
CREATE INDEX account_invitation_maker ON account_invitation (maker_id);
CREATE INDEX account_invitation_expiry ON account_invitation (expires_at);

-- Addresses that may open an account without an invitation code.
CREATE TABLE admitted_address (
  address     ${types.bytes} PRIMARY KEY CHECK (length(address) = 20),
  admitted_at ${types.integer} NOT NULL
)${types.byKey};

-- Reports about people and groups, until the operator closes them.
CREATE TABLE report (
  id          ${types.key}, -- in order of arrival
  public_id   ${types.text} NOT NULL UNIQUE,
  reporter_id ${types.integer} NOT NULL REFERENCES account (id),
  account_id  ${types.integer} REFERENCES account (id), -- the reported person; null: a group
  group_id    ${types.text},                            -- public id of the reported group, which may be deleted
  reason      ${types.text} NOT NULL,
  text        ${types.text},
  reported_at ${types.integer} NOT NULL
)${types.inOrder};
CREATE INDEX report_reporter ON report (reporter_id, id);
CREATE INDEX report_time ON report (reported_at);

CREATE TABLE handle (
  account_id ${types.integer} PRIMARY KEY REFERENCES account (id),
  handle     ${types.text} NOT NULL UNIQUE,
  is_public  ${types.integer} NOT NULL,
  verified   ${types.integer} NOT NULL DEFAULT 0,
  created_at ${types.integer} NOT NULL
)${types.inOrder};
CREATE INDEX public_handle ON handle (handle) WHERE is_public = 1;
-- Finds verified handles where only a few are verified.
CREATE INDEX verified_handle ON handle (handle) WHERE is_public = 1 AND verified = 1;

-- Display names of accounts with a public handle, one row for the rest of the name from each word (protocol/name-search.ts).
CREATE TABLE name_part (
  part       ${types.text} NOT NULL,
  account_id ${types.integer} NOT NULL REFERENCES account (id),
  PRIMARY KEY (part, account_id)
)${types.byKey};
CREATE INDEX name_part_account ON name_part (account_id);

-- Previous handles of renamed or deleted accounts. A few of each account are reserved for a year (writes/kept-handles.ts).
CREATE TABLE kept_handle (
  handle     ${types.text} PRIMARY KEY,
  account_id ${types.integer} NOT NULL,
  days       ${types.integer} NOT NULL, -- number of days for which the account had it
  until      ${types.integer} NOT NULL
)${types.byKey};
CREATE INDEX kept_handle_account ON kept_handle (account_id, days, until);
CREATE INDEX kept_handle_until ON kept_handle (until);

CREATE TABLE challenge (
  id         ${types.key}, -- in order of issue
  nonce      ${types.text} NOT NULL UNIQUE,
  address    ${types.bytes} NOT NULL,
  issued_at  ${types.integer} NOT NULL,
  expires_at ${types.integer} NOT NULL,
  network    ${types.bytes} -- keyed hash of the network of the request; null where all requests come from one
)${types.inOrder};
CREATE INDEX challenge_expiry ON challenge (expires_at);
CREATE INDEX challenge_network ON challenge (network) WHERE network IS NOT NULL;

-- All device lists of an address. A client that has an older one verifies each step to the newest.
CREATE TABLE device_list (
  account_id   ${types.integer} NOT NULL REFERENCES account (id),
  sequence     ${types.integer} NOT NULL,
  list         ${types.text} NOT NULL, -- JSON, as published
  issued_at    ${types.integer} NOT NULL, -- time in the list
  published_at ${types.integer} NOT NULL,
  PRIMARY KEY (account_id, sequence)
)${types.inOrder};
CREATE INDEX list_published ON device_list (account_id, published_at);

-- A device is a queue. Its key contains the key of its account (queue-keys.ts), and is never reused.
CREATE TABLE device (
  id             ${types.integer} PRIMARY KEY,
  account_id     ${types.integer} NOT NULL REFERENCES account (id),
  device_id      ${types.bytes} NOT NULL CHECK (length(device_id) = 16),
  seal_key       ${types.bytes} NOT NULL UNIQUE CHECK (length(seal_key) = 32),
  seal_sequence  ${types.integer} NOT NULL,
  expires_at     ${types.integer} NOT NULL, -- end of the seal key
  seal_statement ${types.text} NOT NULL, -- JSON, as published
  UNIQUE (account_id, device_id)
)${types.inOrder};

-- Post-quantum parts of current seal keys. Senders request them by digest. Two devices may publish the same key.
CREATE TABLE pq_key (
  device ${types.integer} PRIMARY KEY REFERENCES device (id),
  digest ${types.bytes} NOT NULL CHECK (length(digest) = 32),
  key    ${types.bytes} NOT NULL CHECK (length(key) = 1184)
)${types.inOrder};
CREATE INDEX pq_key_digest ON pq_key (digest);

-- Former seal keys. Copies that are sealed to them are refused as stale, not as wrong.
CREATE TABLE retired_key (
  seal_key       ${types.bytes} PRIMARY KEY,
  account_id     ${types.integer} NOT NULL,
  retired_at     ${types.integer} NOT NULL,
  device         ${types.integer},                    -- the queue that still accepts copies for this key
  accepted_until ${types.integer} NOT NULL DEFAULT 0  -- end of that acceptance
)${types.byKey};
CREATE INDEX retired_key_time ON retired_key (retired_at);
-- Finds the oldest retired keys of an account, whose number is limited.
CREATE INDEX retired_key_account ON retired_key (account_id, retired_at);

-- New devices that wait to be linked. They expire.
CREATE TABLE link (
  id         ${types.key}, -- in order of arrival
  device_id  ${types.bytes} NOT NULL UNIQUE CHECK (length(device_id) = 16),
  device_key ${types.bytes} NOT NULL CHECK (length(device_key) = 32),
  name       ${types.text} NOT NULL,
  offer      ${types.text},                -- JSON, unparsed
  expires_at ${types.integer} NOT NULL
)${types.inOrder};
CREATE INDEX link_expiry ON link (expires_at);
`;
