/** Groups: their chains, and the state after the last entry of each. */
import type { ColumnTypes } from './types.ts';

export const groups = (types: ColumnTypes): string => `
-- Groups: the data of the directory, the rules for posts, and the state of the chain except for its people (roster_person).
CREATE TABLE chat_group (
  id           ${types.key},
  public_id    ${types.text} NOT NULL UNIQUE,
  name         ${types.text} NOT NULL,
  search_name  ${types.text} NOT NULL, -- the name in the form of searches (protocol/name-search.ts)
  description  ${types.text} NOT NULL,
  creator_id   ${types.integer} REFERENCES account (id), -- null after the creator left
  password_hash ${types.bytes} CHECK (length(password_hash) = 32), -- SHA-256 of the password proof
  listed       ${types.integer} NOT NULL,
  verified     ${types.integer} NOT NULL DEFAULT 0,
  member_count ${types.integer} NOT NULL,
  created_at   ${types.integer} NOT NULL,
  epoch        ${types.integer} NOT NULL, -- of the last entry
  hash         ${types.bytes} NOT NULL CHECK (length(hash) = 32), -- of the last entry
  issued_at    ${types.integer} NOT NULL, -- time in the last entry
  join_mode    ${types.text} NOT NULL,
  roster       ${types.text} NOT NULL -- JSON: fields of the state without a column or table
)${types.inOrder};
CREATE INDEX group_creator ON chat_group (creator_id);

-- Entries of the chains, as signed.
CREATE TABLE roster_entry (
  group_id    ${types.integer} NOT NULL REFERENCES chat_group (id),
  epoch       ${types.integer} NOT NULL,
  hash        ${types.bytes} NOT NULL CHECK (length(hash) = 32),
  body        ${types.bytes} NOT NULL,
  device_id   ${types.bytes} NOT NULL CHECK (length(device_id) = 16),
  signature   ${types.bytes} NOT NULL CHECK (length(signature) = 64),
  account_id  ${types.integer} NOT NULL, -- the signer
  bytes       ${types.integer} NOT NULL, -- bytes that count towards the daily limit of the account; 0 for exempt copies
  accepted_at ${types.integer} NOT NULL,
  UNIQUE (group_id, epoch)
)${types.inOrder};
-- Finds the recent entries of an account, for that limit.
CREATE INDEX roster_entry_account ON roster_entry (account_id, accepted_at, bytes);

-- The state of each present and former member after the last entry.
CREATE TABLE roster_person (
  group_id   ${types.integer} NOT NULL REFERENCES chat_group (id),
  account_id ${types.integer} NOT NULL REFERENCES account (id),
  list       ${types.integer} NOT NULL, -- sequence of the newest device list in the chain
  since      ${types.integer},          -- epoch of the entry that began the membership; null: not a member
  joins      ${types.text} NOT NULL, -- JSON: times of recent joins
  departed   ${types.integer},          -- time of the last end of a membership
  removed    ${types.integer} NOT NULL,
  signed     ${types.integer} NOT NULL, -- epoch of the last entry by this person
  PRIMARY KEY (group_id, account_id)
)${types.byKey};
CREATE INDEX member_of ON roster_person (account_id, group_id) WHERE since IS NOT NULL;
CREATE INDEX member_in ON roster_person (group_id, account_id) WHERE since IS NOT NULL;
CREATE VIEW member AS SELECT group_id, account_id FROM roster_person WHERE since IS NOT NULL;

-- Accounts that may read a chain and post to it before they join, because they recently proved that they can join.
CREATE TABLE group_admission (
  group_id   ${types.integer} NOT NULL REFERENCES chat_group (id),
  account_id ${types.integer} NOT NULL,
  until      ${types.integer} NOT NULL,
  PRIMARY KEY (group_id, account_id)
)${types.byKey};
CREATE INDEX group_admission_account ON group_admission (account_id, until);

-- Canceled invitations, by the address of the invited person, who may have no account here.
CREATE TABLE roster_uninvited (
  group_id ${types.integer} NOT NULL REFERENCES chat_group (id),
  address  ${types.bytes} NOT NULL CHECK (length(address) = 20),
  at       ${types.integer} NOT NULL,
  PRIMARY KEY (group_id, address)
)${types.byKey};
`;
