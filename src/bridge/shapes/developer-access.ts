/** Developer API access and its keys. */

import { z } from 'zod';
import { BotToken } from './group.ts';
import { Time } from './values.ts';

/** Rights of an API key. */
export const ApiKeyEntitlement = z.enum([
  'directory:read',
  'envelopes:send',
  'inbox:read',
  'groups:read',
  'groups:send',
  'blobs',
]);
export type ApiKeyEntitlement = z.infer<typeof ApiKeyEntitlement>;

/** An API key, without its secret. */
export const ApiKey = z.strictObject({
  ...BotToken.omit({ signs: true }).shape,
  entitlements: z.array(z.string()),
  expiresAt: Time.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Developer API access: whether programs may act in the person's name, and their keys. */
export const DeveloperAccess = z.strictObject({
  unlocked: z.boolean(),
  /** The relay's own documentation. */
  docsUrl: z.string(),
  /** Newest first, revoked ones too. */
  keys: z.array(ApiKey),
});
export type DeveloperAccess = z.infer<typeof DeveloperAccess>;
