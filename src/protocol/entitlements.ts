/** The permissions of each type of credential (docs/protocol.md, 'Credentials'). Imports nothing, as figures.ts. */

/** The entitlements that an API key can have: all except managing the account and its groups. */
export const API_KEY_ENTITLEMENTS = [
  'directory:read',
  'envelopes:send',
  'inbox:read',
  'groups:read',
  'groups:send',
  'blobs',
] as const;

export const ALL_ENTITLEMENTS = [...API_KEY_ENTITLEMENTS, 'account:manage', 'groups:manage'] as const;

export const CREDENTIAL_TYPES = ['session', 'api_key', 'group_token'] as const;

/** The maximum of each type. The owner of an API key chooses among these. */
export const ENTITLEMENTS: Readonly<
  Record<(typeof CREDENTIAL_TYPES)[number], readonly (typeof ALL_ENTITLEMENTS)[number][]>
> = {
  session: ALL_ENTITLEMENTS,
  api_key: API_KEY_ENTITLEMENTS,
  group_token: ['groups:read', 'groups:send', 'blobs'],
};
