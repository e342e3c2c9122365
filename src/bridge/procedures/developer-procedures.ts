/** Procedures of Developer API access. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { ApiKey, ApiKeyEntitlement, DeveloperAccess } from '../shapes/developer-access.ts';
import { Id } from '../shapes/values.ts';
import { nothing, Secret } from './inputs.ts';

export const developerProcedures = {
  'developer.get': { input: nothing, output: DeveloperAccess },
  /**
   * The wallet signs that unsigned messages of programs are allowed; then the relay accepts API keys. With the
   * secret, unless this computer stores it.
   */
  'developer.unlock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /**
   * Revokes every API key; then the wallet signs that unsigned messages of programs are not allowed. With the secret,
   * unless this computer stores it.
   */
  'developer.lock': { input: z.strictObject({ secret: Secret.optional() }), output: DeveloperAccess },
  /** Only this answer contains the secret. */
  'developer.createKey': {
    input: z.strictObject({
      name: z.string().max(longest.name),
      entitlements: z.array(ApiKeyEntitlement).max(5),
      /** Null: no expiry. */
      days: z.number().int().min(1).max(3_650).nullable(),
    }),
    output: z.strictObject({ key: ApiKey, secret: z.string(), relayUrl: z.string() }),
  },
  'developer.revokeKey': { input: z.strictObject({ id: Id }), output: DeveloperAccess },
} as const;
