/** Credentials, and used renewals. */
import type { ColumnTypes } from './types.ts';

export const credentials = (types: ColumnTypes): string => `
CREATE TABLE credential (
  id           ${types.key},
  public_id    ${types.text} NOT NULL UNIQUE,
  digest       ${types.bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
  type         ${types.text} NOT NULL,
  account_id   ${types.integer} NOT NULL REFERENCES account (id),
  group_id     ${types.integer} REFERENCES chat_group (id), -- the group of a group token
  device_id    ${types.bytes},             -- the device that renewed the session, or the session that created this one
  name         ${types.text},
  prefix       ${types.text},
  entitlements ${types.text} NOT NULL, -- separated by spaces
  created_at   ${types.integer} NOT NULL,
  expires_at   ${types.integer},
  last_used_at ${types.integer},
  revoked_at   ${types.integer}
)${types.inOrder};
CREATE INDEX credential_account ON credential (account_id, type);
CREATE INDEX credential_group ON credential (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX session_expiry ON credential (expires_at) WHERE type = 'session';

-- Used renewals of sessions, until they expire. No reference to the device: it may log in before it has a queue.
CREATE TABLE renewal (
  account_id ${types.integer} NOT NULL,
  device_id  ${types.bytes} NOT NULL CHECK (length(device_id) = 16),
  issued_at  ${types.integer} NOT NULL,
  PRIMARY KEY (account_id, device_id, issued_at)
)${types.byKey};
CREATE INDEX renewal_time ON renewal (issued_at);
`;
