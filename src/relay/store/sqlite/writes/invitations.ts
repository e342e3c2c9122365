/**
 * Writes of invitations into groups.
 */
import type { InvitationOutcome } from '../../group-records.ts';
import type { AccountKey, GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob } from '../values.ts';
import type { Audit } from './audit.ts';

export function invitationWrites(database: Database, audit: Audit) {
  const findGroup = database
    .prepare<[number], string>('SELECT public_id FROM chat_group WHERE id = ?')
    .pluck();
  const findAccount = database.prepare<[Buffer], number>('SELECT id FROM account WHERE address = ?').pluck();
  const findMember = database
    .prepare<[number, number], number>('SELECT 1 FROM member WHERE group_id = ? AND account_id = ?')
    .pluck();
  const findInvitation = database
    .prepare<[number, number], number>('SELECT 1 FROM invitation WHERE group_id = ? AND account_id = ?')
    .pluck();
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM invitation WHERE group_id = ?')
    .pluck();
  const insert = database.prepare('INSERT INTO invitation VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM invitation WHERE group_id = ? AND account_id = ?');

  return {
    inviteToGroup(
      group: GroupKey,
      address: string,
      by: AccountKey,
      most: number,
      now: number,
    ): InvitationOutcome {
      const publicId = findGroup.get(group);
      const account = findAccount.get(addressToBlob(address));
      if (publicId === undefined || account === undefined) return 'unknown';
      if (findMember.get(group, account)) return 'member';
      if (findInvitation.get(group, account)) return 'invited';
      if ((count.get(group) ?? 0) >= most) return 'full';
      insert.run(group, account, now);
      const detail = { invited: address };
      audit({ at: now, actor: by, action: 'group.invited', target: publicId, detail });
      return 'invited';
    },

    withdrawInvitation(group: GroupKey, address: string, by: AccountKey, now: number): void {
      const publicId = findGroup.get(group);
      const account = findAccount.get(addressToBlob(address));
      if (publicId === undefined || account === undefined) return;
      if (remove.run(group, account).changes === 0) return;
      const detail = { invited: address };
      audit({ at: now, actor: by, action: 'group.invitation_withdrawn', target: publicId, detail });
    },
  };
}
