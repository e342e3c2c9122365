/** Credentials: their forms and permissions (docs/protocol.md, 'Credentials'). */
import { z } from 'zod';
import { ALL_ENTITLEMENTS, API_KEY_ENTITLEMENTS, CREDENTIAL_TYPES } from './entitlements.ts';

export const Entitlement = z.enum(ALL_ENTITLEMENTS);
export type Entitlement = z.infer<typeof Entitlement>;

/** The entitlements that an API key can have: all except managing the account and its groups. */
export const ApiKeyEntitlement = z.enum(API_KEY_ENTITLEMENTS);
export type ApiKeyEntitlement = z.infer<typeof ApiKeyEntitlement>;

/** The default entitlements of an API key: enough to find people and to send. */
export const USUAL_API_KEY_ENTITLEMENTS: readonly ApiKeyEntitlement[] = ['directory:read', 'envelopes:send'];

export const CredentialType = z.enum(CREDENTIAL_TYPES);
export type CredentialType = z.infer<typeof CredentialType>;

/** The prefix of each credential. 43 characters follow: 32 random bytes in base64url. */
export const CREDENTIAL_PREFIX: Readonly<Record<CredentialType, string>> = {
  session: 'ses_',
  api_key: 'sk_live_',
  group_token: 'gtk_live_',
};

/** The length of the shown prefix of an API key or group token, by which its owner recognizes it. */
export const SHOWN_PREFIX_LENGTH = 12;

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The type of a credential by its form; null for other texts. Its validity is not checked. */
export function credentialTypeOf(text: string): CredentialType | null {
  for (const type of CredentialType.options) {
    const prefix = CREDENTIAL_PREFIX[type];
    if (text.startsWith(prefix) && SECRET.test(text.slice(prefix.length))) return type;
  }
  return null;
}
