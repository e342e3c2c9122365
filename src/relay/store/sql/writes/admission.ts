/** Admission of new accounts: invitation codes, and addresses named by the operator. */
import type { NewInvitation } from '../../account-records.ts';
import type { Admission } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob } from '../values.ts';
import type { Audit } from './audit.ts';

/** The result for an address without an account: admitted, with the id of the used code, or refused. */
export type Verdict =
  | { status: 'admitted'; invitation: string | null }
  | { status: 'invitation_required' | 'registration_closed' };

/**
 * Decides whether an address gets an account, and uses up its code. For the transaction that creates the account.
 */
export function admissionJudge(database: Database) {
  const isAdmitted = database
    .prepare<[Buffer], number>('SELECT 1 FROM admitted_address WHERE address = ?')
    .pluck();
  // A member's code counts only while the operator admits that member.
  const spend = database
    .prepare<[Uint8Array, number], string>(
      `UPDATE account_invitation SET uses_left = uses_left - 1
        WHERE digest = ? AND uses_left > 0 AND expires_at > ?
          AND (maker_id IS NULL
               OR EXISTS (SELECT 1 FROM account WHERE account.id = maker_id AND suspended_at IS NULL))
       RETURNING public_id`,
    )
    .pluck();

  return async (address: Buffer, { policy, invitation }: Admission, now: number): Promise<Verdict> => {
    if (policy === 'open' || (await isAdmitted.get(address))) return { status: 'admitted', invitation: null };
    if (policy === 'list') return { status: 'registration_closed' };
    const spent = invitation === null ? undefined : await spend.get(invitation, now);
    return spent === undefined
      ? { status: 'invitation_required' }
      : { status: 'admitted', invitation: spent };
  };
}

export function admissionWrites(database: Database, audit: Audit) {
  const countOpen = database
    .prepare<[number | null, number], number>(
      `SELECT count(*) FROM account_invitation WHERE maker_id IS NOT DISTINCT FROM ? AND uses_left > 0 AND expires_at > ?`,
    )
    .pluck();
  const insert = database.prepare(
    `INSERT INTO account_invitation (public_id, digest, maker_id, uses, uses_left, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare('DELETE FROM account_invitation WHERE public_id = ?');
  const admit = database.prepare(
    'INSERT INTO admitted_address (address, admitted_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const unadmit = database.prepare('DELETE FROM admitted_address WHERE address = ?');

  return {
    async createAccountInvitation(invitation: NewInvitation, most: number): Promise<boolean> {
      const { id, digest, maker, uses, createdAt, expiresAt } = invitation;
      if (((await countOpen.get(maker, createdAt)) ?? 0) >= most) return false;
      await insert.run(id, digest, maker, uses, uses, createdAt, expiresAt);
      const actor = maker ?? 'operator';
      await audit({
        at: createdAt,
        actor,
        action: 'invitation.created',
        target: id,
        detail: { uses, expiresAt },
      });
      return true;
    },

    async revokeAccountInvitation(id: string, now: number): Promise<boolean> {
      if ((await remove.run(id)).changes === 0) return false;
      await audit({ at: now, actor: 'operator', action: 'invitation.revoked', target: id });
      return true;
    },

    async setAdmitted(address: string, admitted: boolean, now: number): Promise<boolean> {
      const blob = addressToBlob(address);
      const { changes } = admitted ? await admit.run(blob, now) : await unadmit.run(blob);
      if (changes === 0) return false;
      const action = admitted ? 'address.admitted' : 'address.unadmitted';
      await audit({ at: now, actor: 'operator', action, target: address });
      return true;
    },
  };
}
