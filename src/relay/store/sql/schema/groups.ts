/** Groups: their chains, and the folded state of these. */
import type { ColumnTypes } from './types.ts';

export const groups = (types: ColumnTypes): string => `
-- What the directory shows and posts go by, and what the chain comes to beside its people.
CREATE TABLE chat_group (
  id           ${types.key},
  public_id    ${types.text} NOT NULL UNIQUE,
  name         ${types.text} NOT NULL,
  search_name  ${types.text} NOT NULL, -- the name as searches compare it: protocol/name-search.ts
  description  ${types.text} NOT NULL,
  creator_id   ${types.integer} REFERENCES account (id), -- null once the creator left
  password_hash ${types.bytes} CHECK (length(password_hash) = 32), -- SHA-256 of the password proof
  listed       ${types.integer} NOT NULL,
  verified     ${types.integer} NOT NULL DEFAULT 0,
  member_count ${types.integer} NOT NULL,
  created_at   ${types.integer} NOT NULL,
  epoch        ${types.integer} NOT NULL, -- of the last entry
  hash         ${types.bytes} NOT NULL CHECK (length(hash) = 32), -- of the last entry
  issued_at    ${types.integer} NOT NULL, -- as in the last entry
  join_mode    ${types.text} NOT NULL,
  roster       ${types.text} NOT NULL -- JSON: the fields of the state that have neither a column nor a table
)${types.inOrder};
CREATE INDEX group_creator ON chat_group (creator_id);

-- The chains, as they were signed.
CREATE TABLE roster_entry (
  group_id   ${types.integer} NOT NULL REFERENCES chat_group (id),
  epoch      ${types.integer} NOT NULL,
  hash       ${types.bytes} NOT NULL CHECK (length(hash) = 32),
  body       ${types.bytes} NOT NULL,
  device_id  ${types.bytes} NOT NULL CHECK (length(device_id) = 16),
  signature  ${types.bytes} NOT NULL CHECK (length(signature) = 64),
  account_id ${types.integer} NOT NULL, -- who signed
  bytes      ${types.integer} NOT NULL, -- bytes that count for the account's day; 0 for exempt copies
  taken_at   ${types.integer} NOT NULL,
  UNIQUE (group_id, epoch)
)${types.inOrder};
-- Finds how much an account has signed of late.
CREATE INDEX roster_entry_account ON roster_entry (account_id, taken_at, bytes);

-- What the fold knows of everybody who is or was a member.
CREATE TABLE roster_person (
  group_id   ${types.integer} NOT NULL REFERENCES chat_group (id),
  account_id ${types.integer} NOT NULL REFERENCES account (id),
  list       ${types.integer} NOT NULL, -- the highest device list that the chain names
  since      ${types.integer},          -- epoch of the entry that made it a member; null: it is none
  joins      ${types.text} NOT NULL, -- JSON: times of its recent joins
  departed   ${types.integer},          -- when it last left or was removed
  removed    ${types.integer} NOT NULL,
  signed     ${types.integer} NOT NULL, -- epoch of the last entry that it signed
  PRIMARY KEY (group_id, account_id)
)${types.byKey};
CREATE INDEX member_of ON roster_person (account_id, group_id) WHERE since IS NOT NULL;
CREATE INDEX member_in ON roster_person (group_id, account_id) WHERE since IS NOT NULL;
CREATE VIEW member AS SELECT group_id, account_id FROM roster_person WHERE since IS NOT NULL;

-- Who may read a chain, and post to it, without being a member: who showed of late that they could join.
CREATE TABLE group_admission (
  group_id   ${types.integer} NOT NULL REFERENCES chat_group (id),
  account_id ${types.integer} NOT NULL,
  until      ${types.integer} NOT NULL,
  PRIMARY KEY (group_id, account_id)
)${types.byKey};
CREATE INDEX group_admission_account ON group_admission (account_id, until);

-- Whose tickets were withdrawn, and when. Not all of them have an account here.
CREATE TABLE roster_uninvited (
  group_id ${types.integer} NOT NULL REFERENCES chat_group (id),
  address  ${types.bytes} NOT NULL CHECK (length(address) = 20),
  at       ${types.integer} NOT NULL,
  PRIMARY KEY (group_id, address)
)${types.byKey};
`;
