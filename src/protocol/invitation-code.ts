/** Codes that open an account at a relay (docs/protocol.md, 'Accounts at a relay'). */
import { z } from 'zod';
import { FIELD_FAULTS } from './faults.ts';

export const INVITATION_PREFIX = 'inv_';
/** `inv_` and 32 random bytes in base64url. */
export const InvitationCode = z
  .string()
  .regex(/^inv_[A-Za-z0-9_-]{43}$/, FIELD_FAULTS.invitation_code())
  .describe('`inv_` and 43 characters.');
