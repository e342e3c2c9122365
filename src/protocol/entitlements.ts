/**
 * What each type of credential may be used for (docs/protocol.md, 'Credentials'). Imports nothing, as figures.ts.
 */

/** What an API key may hold: all but managing the account and its groups. */
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

/** The most that each type can hold. An API key holds what its owner chose of it. */
export const ENTITLEMENTS: Readonly<
  Record<(typeof CREDENTIAL_TYPES)[number], readonly (typeof ALL_ENTITLEMENTS)[number][]>
> = {
  session: ALL_ENTITLEMENTS,
  api_key: API_KEY_ENTITLEMENTS,
  group_token: ['groups:read', 'groups:send', 'blobs'],
};
