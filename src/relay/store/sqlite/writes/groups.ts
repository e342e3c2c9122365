/**
 * Writes of groups, their members and tokens.
 */
import { ENTITLEMENTS } from '../../../../protocol/credentials.ts';
import type {
  Admission,
  Departure,
  GroupChange,
  JoinOutcome,
  MembershipQuotas,
  NewGroup,
  NewGroupToken,
  TokenOutcome,
} from '../../group-records.ts';
import type { AccountKey, GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob } from '../values.ts';
import type { Audit } from './audit.ts';
import { groupRemover } from './group-rows.ts';
import { listedCredentials, makingSession } from './listed-credentials.ts';

interface GroupRow {
  public_id: string;
  creator_id: number;
  password: string | null;
  member_count: number;
}

export function groupWrites(database: Database, audit: Audit) {
  const insertGroup = database.prepare(
    `INSERT INTO chat_group (public_id, name, description, creator_id, password, member_count, created_at)
     VALUES (?, ?, ?, ?, ?, 1, ?)`,
  );
  const insertText = database.prepare('INSERT INTO group_text (rowid, name) VALUES (?, ?)');
  const deleteText = database.prepare('DELETE FROM group_text WHERE rowid = ?');
  const findGroup = database.prepare<[number], GroupRow>(
    'SELECT public_id, creator_id, password, member_count FROM chat_group WHERE id = ?',
  );
  const setName = database.prepare('UPDATE chat_group SET name = ?, verified = 0 WHERE id = ? AND name <> ?');
  const setDescription = database.prepare('UPDATE chat_group SET description = ? WHERE id = ?');
  const setPassword = database.prepare('UPDATE chat_group SET password = ? WHERE id = ?');
  const countMembers = database.prepare('UPDATE chat_group SET member_count = member_count + ? WHERE id = ?');

  const insertMember = database.prepare('INSERT INTO member VALUES (?, ?, ?)');
  const findMember = database.prepare<[number, number], { group_id: number }>(
    'SELECT group_id FROM member WHERE group_id = ? AND account_id = ?',
  );
  const memberships = database
    .prepare<[number], number>('SELECT count(*) FROM member WHERE account_id = ?')
    .pluck();
  const findInvitation = database
    .prepare<[number, number], number>('SELECT 1 FROM invitation WHERE group_id = ? AND account_id = ?')
    .pluck();
  const deleteMember = database.prepare<[number, Buffer], { account_id: number }>(
    `DELETE FROM member WHERE group_id = ? AND account_id = (SELECT id FROM account WHERE address = ?)
     RETURNING account_id`,
  );

  const deleteInvitation = database.prepare('DELETE FROM invitation WHERE group_id = ? AND account_id = ?');
  const deleteInvitations = database.prepare('DELETE FROM invitation WHERE group_id = ?');

  const insertToken = database.prepare(
    `INSERT INTO credential
       (public_id, digest, type, account_id, group_id, device_id, name, prefix, entitlements, created_at)
     VALUES (?, ?, 'group_token', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findSession = makingSession(database);
  const revokeToken = database.prepare(
    'UPDATE credential SET revoked_at = ? WHERE public_id = ? AND group_id = ? AND revoked_at IS NULL',
  );
  const findToken = database.prepare<[string, number], { public_id: string }>(
    'SELECT public_id FROM credential WHERE public_id = ? AND group_id = ?',
  );
  const revokeTokens = database.prepare<[number, number], { public_id: string }>(
    'UPDATE credential SET revoked_at = ? WHERE group_id = ? AND revoked_at IS NULL RETURNING public_id',
  );
  const removeGroup = groupRemover(database);

  const listed = listedCredentials(database);
  const countGroups = (account: AccountKey) => memberships.get(account) ?? 0;

  return {
    createGroup(group: NewGroup, most: number): boolean {
      const { id, name, description, creator, password, createdAt } = group;
      if (countGroups(creator) >= most) return false;
      const { lastInsertRowid } = insertGroup.run(id, name, description, creator, password, createdAt);
      insertText.run(lastInsertRowid, name);
      insertMember.run(lastInsertRowid, creator, createdAt);
      audit({ at: createdAt, actor: creator, action: 'group.created', target: id });
      return true;
    },

    /** Another name has to be verified again. */
    changeGroup(group: GroupKey, change: GroupChange, now: number): void {
      const row = findGroup.get(group);
      if (!row) return;
      if (change.name !== undefined && setName.run(change.name, group, change.name).changes > 0) {
        deleteText.run(group);
        insertText.run(group, change.name);
      }
      if (change.description !== undefined) setDescription.run(change.description, group);
      if (change.password !== undefined) setPassword.run(change.password, group);
      const fields = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : name));
      const detail = { fields };
      audit({ at: now, actor: row.creator_id, action: 'group.changed', target: row.public_id, detail });
    },

    addMember(
      group: GroupKey,
      account: AccountKey,
      admission: Admission,
      most: MembershipQuotas,
      now: number,
    ): JoinOutcome {
      const row = findGroup.get(group);
      if (!row) return 'refused';
      const isInvited = findInvitation.get(group, account) !== undefined;
      const isAdmitted = admission.by === 'invitation' ? isInvited : row.password === admission.password;
      if (!isAdmitted) return 'refused';
      if (findMember.get(group, account)) return 'member';
      if (countGroups(account) >= most.groups) return 'groups';
      if (row.member_count >= most.groupMembers) return 'groupMembers';
      // Used up, whichever way they came.
      deleteInvitation.run(group, account);
      insertMember.run(group, account, now);
      countMembers.run(1, group);
      audit({ at: now, actor: account, action: 'group.joined', target: row.public_id });
      return 'member';
    },

    removeMember(group: GroupKey, address: string, by: AccountKey, now: number): Departure {
      const row = findGroup.get(group);
      const left = row && deleteMember.get(group, addressToBlob(address));
      if (!row || !left) return { removed: false, revoked: [] };
      // Nobody answers for tokens and invitations any more when the creator has left.
      const isCreator = left.account_id === row.creator_id;
      const revoked = isCreator ? revokeTokens.all(now, group) : [];
      if (isCreator) deleteInvitations.run(group);
      if (isCreator) listed.forgetEnded(row.creator_id, 'group_token', now);
      const action = left.account_id === by ? 'group.left' : 'group.member_removed';
      const detail = { member: address, revokedTokens: revoked.length };
      audit({ at: now, actor: by, action, target: row.public_id, detail });
      if (row.member_count === 1) {
        removeGroup(group);
        audit({ at: now, actor: by, action: 'group.removed', target: row.public_id });
      } else countMembers.run(-1, group);
      return { removed: true, revoked: revoked.map((token) => token.public_id) };
    },

    createGroupToken(group: GroupKey, account: AccountKey, token: NewGroupToken, most: number): TokenOutcome {
      const row = findGroup.get(group);
      if (row?.creator_id !== account || !findMember.get(group, account)) return 'forbidden';
      const { id, digest, name, prefix, createdAt } = token;
      const session = findSession(token.session);
      if (!session) return 'session_ended';
      if (listed.countWorking(account, 'group_token', createdAt) >= most) return 'full';
      const entitlements = ENTITLEMENTS.group_token.join(' ');
      insertToken.run(id, digest, account, group, session.device_id, name, prefix, entitlements, createdAt);
      const detail = { group: row.public_id };
      audit({ at: createdAt, actor: account, action: 'group_token.created', target: id, detail });
      return 'minted';
    },

    revokeGroupToken(group: GroupKey, id: string, now: number): boolean {
      const row = findGroup.get(group);
      if (!row || revokeToken.run(now, id, group).changes === 0)
        return findToken.get(id, group) !== undefined;
      const detail = { group: row.public_id };
      audit({ at: now, actor: row.creator_id, action: 'group_token.revoked', target: id, detail });
      listed.forgetEnded(row.creator_id, 'group_token', now);
      return true;
    },
  };
}
