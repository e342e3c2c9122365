/** Accounts at a relay: opening, ending and moving them (docs/protocol.md, 'Accounts at a relay'). */
import { z } from 'zod';
import { InvitationCode } from '../invitation-code.ts';
import { WireTime } from '../primitives.ts';

/** The longest lifetime of an invitation code made by a member, in milliseconds. */
export const MAX_INVITATION_LIFE = 30 * 24 * 3_600_000;
/** The delay before an account ends on a device's request, in milliseconds. With the wallet it ends at once. */
export const DELETION_DELAY = 7 * 24 * 3_600_000;

/** The people who may open an account: everyone, people with a code, or those named by the operator. */
export const Registration = z.enum(['open', 'code', 'list']).meta({
  id: 'Registration',
  description:
    'Condition for opening an account: none, an invitation code, or an entry in the list of the operator.',
});
export type Registration = z.infer<typeof Registration>;

const uses = z.number().int().min(1).max(20).describe('The number of accounts that it opens.');

export const InvitationRequest = z
  .strictObject({ uses, expires: WireTime.describe('At most 30 days ahead.') })
  .meta({ id: 'InvitationRequest' });

export const NewInvitation = z
  .object({ code: InvitationCode, uses, expires: WireTime })
  .meta({ id: 'NewInvitation', description: 'An invitation code. Only this response contains it.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const AccountDeletion = z
  .object({ deletesAt: WireTime.describe('The time of the deletion. Any session may cancel it before.') })
  .meta({ id: 'AccountDeletion' });
export type AccountDeletion = z.infer<typeof AccountDeletion>;
