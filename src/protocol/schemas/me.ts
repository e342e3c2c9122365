/**
 * The caller: who it is, what it may do, its handle, profile and API keys.
 */
import { z } from 'zod';
import { ApiKeyEntitlement, CredentialType, Entitlement } from '../credentials.ts';
import { Limits } from '../limits.ts';
import { Handle } from './directory.ts';
import { Label, OpaqueId, WireAddress, WireTime } from './primitives.ts';

export const DisplayName = Label(64);

export const Me = z.object({
  address: WireAddress,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** Whether Developer API access is unlocked. */
  developerApi: z.boolean(),
  /** The credential of this very call. */
  credential: z.object({
    type: CredentialType,
    id: OpaqueId,
    /** Null for sessions. */
    name: z.string().nullable(),
    /** Null for sessions. */
    prefix: z.string().nullable(),
    entitlements: z.array(Entitlement),
    expiresAt: WireTime.nullable(),
    groupId: OpaqueId.optional(),
  }),
  limits: Limits,
});
export type Me = z.infer<typeof Me>;

export const HandleRequest = z.strictObject({
  handle: Handle,
  /** Whether others may look the handle up and find it. True unless said. */
  public: z.boolean().optional(),
});

/** Null removes the name. */
export const ProfileRequest = z.strictObject({ displayName: DisplayName.nullable() });

/** While access is locked, no API key of the address works. */
export const DeveloperAccessRequest = z.strictObject({ enabled: z.boolean() });

export const ApiKeyRequest = z.strictObject({
  name: Label(64),
  /** All that an API key can hold unless said. */
  entitlements: z
    .array(ApiKeyEntitlement)
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'must not name one twice')
    .optional(),
  expiresAt: WireTime.nullable().optional(),
});

const apiKeyFields = {
  id: OpaqueId,
  name: z.string(),
  /** The first 12 characters of the secret. */
  prefix: z.string(),
  entitlements: z.array(Entitlement),
  createdAt: WireTime,
  expiresAt: WireTime.nullable(),
};

/** The only answer that ever carries the secret. */
export const NewApiKey = z.object({ ...apiKeyFields, secret: z.string() });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKey = z.object({
  ...apiKeyFields,
  lastUsedAt: WireTime.nullable(),
  revokedAt: WireTime.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) });
export const ApiKeyParams = z.strictObject({ id: OpaqueId });
