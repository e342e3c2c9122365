/**
 * Who may open an account: invitation codes, and addresses that the operator named.
 */
import type { NewInvitation } from '../../account-records.ts';
import type { Admission } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob } from '../values.ts';
import type { Audit } from './audit.ts';

/** What becomes of an address that has no account: it is let in, with the id of the code that it spent, or not. */
export type Verdict =
  | { status: 'admitted'; invitation: string | null }
  | { status: 'invitation_required' | 'registration_closed' };

/** Judges whether an address gets an account, and spends its code. For the transaction that makes the account. */
export function admissionJudge(database: Database) {
  const isAdmitted = database
    .prepare<[Buffer], number>('SELECT 1 FROM admitted_address WHERE address = ?')
    .pluck();
  // What a member made counts only while the operator lets that member in.
  const spend = database
    .prepare<[Uint8Array, number], string>(
      `UPDATE account_invitation SET uses_left = uses_left - 1
        WHERE digest = ? AND uses_left > 0 AND expires_at > ?
          AND (maker_id IS NULL
               OR EXISTS (SELECT 1 FROM account WHERE account.id = maker_id AND suspended_at IS NULL))
       RETURNING public_id`,
    )
    .pluck();

  return (address: Buffer, { policy, invitation }: Admission, now: number): Verdict => {
    if (policy === 'open' || isAdmitted.get(address)) return { status: 'admitted', invitation: null };
    if (policy === 'list') return { status: 'registration_closed' };
    const spent = invitation === null ? undefined : spend.get(invitation, now);
    return spent === undefined
      ? { status: 'invitation_required' }
      : { status: 'admitted', invitation: spent };
  };
}

export function admissionWrites(database: Database, audit: Audit) {
  const countOpen = database
    .prepare<[number | null, number], number>(
      `SELECT count(*) FROM account_invitation WHERE maker_id IS ? AND uses_left > 0 AND expires_at > ?`,
    )
    .pluck();
  const insert = database.prepare(
    `INSERT INTO account_invitation (public_id, digest, maker_id, uses, uses_left, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare('DELETE FROM account_invitation WHERE public_id = ?');
  const admit = database.prepare('INSERT INTO admitted_address VALUES (?, ?) ON CONFLICT DO NOTHING');
  const unadmit = database.prepare('DELETE FROM admitted_address WHERE address = ?');

  return {
    createAccountInvitation(invitation: NewInvitation, most: number): boolean {
      const { id, digest, maker, uses, createdAt, expiresAt } = invitation;
      if ((countOpen.get(maker, createdAt) ?? 0) >= most) return false;
      insert.run(id, digest, maker, uses, uses, createdAt, expiresAt);
      const actor = maker ?? 'operator';
      audit({ at: createdAt, actor, action: 'invitation.created', target: id, detail: { uses, expiresAt } });
      return true;
    },

    revokeAccountInvitation(id: string, now: number): boolean {
      if (remove.run(id).changes === 0) return false;
      audit({ at: now, actor: 'operator', action: 'invitation.revoked', target: id });
      return true;
    },

    setAdmitted(address: string, admitted: boolean, now: number): boolean {
      const blob = addressToBlob(address);
      const { changes } = admitted ? admit.run(blob, now) : unadmit.run(blob);
      if (changes === 0) return false;
      const action = admitted ? 'address.admitted' : 'address.unadmitted';
      audit({ at: now, actor: 'operator', action, target: address });
      return true;
    },
  };
}
