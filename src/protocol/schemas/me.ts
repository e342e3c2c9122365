/** The caller's own identity, entitlements, handle, profile and API keys. */

import { z } from 'zod';
import { ApiKeyEntitlement, CredentialType, Entitlement } from '../credentials.ts';
import { FIELD_FAULTS } from '../faults.ts';
import { LIST_PAGE, Limits, Quotas } from '../limits.ts';
import { Cursor, Label, OpaqueId, QueryInteger, WireAddress, WireTime } from '../primitives.ts';
import { Handle } from './directory.ts';

export const DisplayName = Label;

export const Me = z
  .object({
    address: WireAddress,
    handle: z.string().nullable(),
    displayName: z.string().nullable(),
    developerApi: z.boolean().describe('True if Developer API access is unlocked.'),
    deletesAt: WireTime.nullable().describe(
      'The time of a planned deletion that a device requested; otherwise null. Any session may cancel it.',
    ),
    credential: z
      .object({
        type: CredentialType,
        id: OpaqueId,
        name: z.string().nullable().describe('Null for sessions.'),
        prefix: z.string().nullable().describe('The beginning of the secret. Null for sessions.'),
        entitlements: z.array(Entitlement),
        expiresAt: WireTime.nullable(),
        groupId: OpaqueId.optional().describe('The group of a group token.'),
      })
      .describe('The credential of this call.'),
    limits: Limits,
    quotas: Quotas,
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

export const HandleRequest = z
  .strictObject({
    handle: Handle,
    public: z.boolean().optional().describe('True if others can look it up and find it. Default: true.'),
  })
  .meta({ id: 'HandleRequest' });

export const ProfileRequest = z
  .strictObject({ displayName: DisplayName.nullable().describe('Null removes the name.') })
  .meta({ id: 'ProfileRequest' });

export const DeveloperAccessRequest = z
  .strictObject({ enabled: z.boolean().describe('While false, no API key of the address works.') })
  .meta({ id: 'DeveloperAccessRequest' });

export const ApiKeyRequest = z
  .strictObject({
    name: Label,
    entitlements: z
      .array(ApiKeyEntitlement)
      .min(1)
      .refine((list) => new Set(list).size === list.length, FIELD_FAULTS.named_twice())
      .meta({ uniqueItems: true })
      .optional()
      .describe('Default: `directory:read` and `envelopes:send`.'),
    expiresAt: WireTime.nullable()
      .optional()
      .describe('Default: the key does not expire. The app and the command line propose 90 days.'),
  })
  .meta({ id: 'ApiKeyRequest' });

const apiKeyFields = {
  id: OpaqueId,
  name: z.string(),
  prefix: z.string().describe('The first 12 characters of the secret.'),
  entitlements: z.array(Entitlement),
  createdAt: WireTime,
  expiresAt: WireTime.nullable(),
};

export const NewApiKey = z
  .object({
    ...apiKeyFields,
    secret: z.string().describe('`sk_live_…`. Only this response contains it.'),
  })
  .meta({ id: 'NewApiKey' });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKey = z
  .object({
    ...apiKeyFields,
    lastUsedAt: WireTime.nullable(),
    revokedAt: WireTime.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeys = z
  .object({
    apiKeys: z.array(ApiKey).describe('Newest first.'),
    nextCursor: Cursor.nullable().describe('The value of `cursor` for the next page; null on the last page.'),
  })
  .meta({ id: 'ApiKeys' });
export type ApiKeys = z.infer<typeof ApiKeys>;
export const ApiKeysQuery = z.strictObject({
  limit: QueryInteger(1, LIST_PAGE.most)
    .optional()
    .describe(`Maximum number of entries, 1 to ${LIST_PAGE.most}. Default: ${LIST_PAGE.default}.`),
  cursor: Cursor.optional(),
});
export const ApiKeyParams = z.strictObject({ id: OpaqueId });
