/**
 * Credentials: their forms, and what each may be used for (docs/protocol.md, 'Credentials').
 */
import { z } from 'zod';

export const Entitlement = z.enum([
  'directory:read',
  'envelopes:send',
  'inbox:read',
  'groups:read',
  'groups:send',
  'blobs',
  'account:manage',
  'groups:manage',
]);
export type Entitlement = z.infer<typeof Entitlement>;

/** What an API key may hold: all but managing the account and its groups. */
export const ApiKeyEntitlement = Entitlement.exclude(['account:manage', 'groups:manage']);
export type ApiKeyEntitlement = z.infer<typeof ApiKeyEntitlement>;

/** What an API key holds unless its owner chooses: enough to find people and to send. */
export const USUAL_API_KEY_ENTITLEMENTS: readonly ApiKeyEntitlement[] = ['directory:read', 'envelopes:send'];

export const CredentialType = z.enum(['session', 'api_key', 'group_token']);
export type CredentialType = z.infer<typeof CredentialType>;

/** How the text of each credential begins. 43 characters follow: 32 random bytes in base64url. */
export const CREDENTIAL_PREFIX: Readonly<Record<CredentialType, string>> = {
  session: 'ses_',
  api_key: 'sk_live_',
  group_token: 'gtk_live_',
};

/** The most that each type can hold. An API key holds what its owner chose of it. */
export const ENTITLEMENTS: Readonly<Record<CredentialType, readonly Entitlement[]>> = {
  session: Entitlement.options,
  api_key: ApiKeyEntitlement.options,
  group_token: ['groups:read', 'groups:send', 'blobs'],
};

/** How many characters of an API key or group token are shown again, so that its owner can tell them apart. */
export const SHOWN_PREFIX_LENGTH = 12;

/** The life of a session, in milliseconds. A device renews it before. */
export const SESSION_LIFE = 15 * 60_000;
/** The life of a login challenge, in milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000;
/** How far the time in a session renewal may be from the relay's, in milliseconds. */
export const RENEWAL_WINDOW = 60_000;

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The type of a credential by its form, or null if it is none. Says nothing about whether it is valid. */
export function credentialTypeOf(text: string): CredentialType | null {
  for (const type of CredentialType.options) {
    const prefix = CREDENTIAL_PREFIX[type];
    if (text.startsWith(prefix) && SECRET.test(text.slice(prefix.length))) return type;
  }
  return null;
}
