/**
 * Accounts at a relay: who may open one, how one ends, and where one has moved (docs/protocol.md, 'Accounts at a relay').
 */
import { z } from 'zod';
import { InvitationCode } from '../invitation-code.ts';
import { WireTime } from '../primitives.ts';

/** How long an invitation code made by a member may be spent, in milliseconds. */
export const MOST_INVITATION_LIFE = 30 * 24 * 3_600_000;
/** How long after a device asked for it an account ends, in milliseconds. With the wallet it ends at once. */
export const DELETION_DELAY = 7 * 24 * 3_600_000;

/** Whom a relay lets open an account: anybody, people with a code, or those whom its operator named. */
export const Registration = z.enum(['open', 'code', 'list']).meta({
  id: 'Registration',
  description: 'Who may open an account: anybody, who has an invitation code, or whom the operator named.',
});
export type Registration = z.infer<typeof Registration>;

const uses = z.number().int().min(1).max(20).describe('How many accounts it opens.');

export const InvitationRequest = z
  .strictObject({ uses, expires: WireTime.describe('At most 30 days ahead.') })
  .meta({ id: 'InvitationRequest' });

export const NewInvitation = z
  .object({ code: InvitationCode, uses, expires: WireTime })
  .meta({ id: 'NewInvitation', description: 'An invitation code, shown in this answer and never again.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const AccountDeletion = z
  .object({ deletesAt: WireTime.describe('Until then any session may cancel it.') })
  .meta({ id: 'AccountDeletion' });
export type AccountDeletion = z.infer<typeof AccountDeletion>;
