/** Writes of group tokens. They also end when their creator is replaced or leaves (rosters.ts). */
import { ENTITLEMENTS } from '../../../../protocol/entitlements.ts';
import type { NewGroupToken, TokenOutcome } from '../../group-records.ts';
import type { AccountKey, GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';
import type { Audit } from './audit.ts';
import { listedCredentials, makingSession } from './listed-credentials.ts';

interface GroupRow {
  public_id: string;
  creator_id: number | null;
}

export function groupTokenWrites(database: Database, audit: Audit) {
  const findGroup = database.prepare<[number], GroupRow>(
    'SELECT public_id, creator_id FROM chat_group WHERE id = ?',
  );
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
  const listed = listedCredentials(database);

  return {
    async createGroupToken(
      group: GroupKey,
      account: AccountKey,
      token: NewGroupToken,
      most: number,
    ): Promise<TokenOutcome> {
      const row = await findGroup.get(group);
      if (row?.creator_id !== account) return 'forbidden';
      const { id, digest, name, prefix, createdAt } = token;
      const session = await findSession(token.session);
      if (!session) return 'session_ended';
      if ((await listed.countWorking(account, 'group_token', createdAt)) >= most) return 'full';
      const entitlements = ENTITLEMENTS.group_token.join(' ');
      await insertToken.run(
        id,
        digest,
        account,
        group,
        session.device_id,
        name,
        prefix,
        entitlements,
        createdAt,
      );
      const detail = { group: row.public_id };
      await audit({ at: createdAt, actor: account, action: 'group_token.created', target: id, detail });
      return 'created';
    },

    async revokeGroupToken(group: GroupKey, id: string, now: number): Promise<boolean> {
      const row = await findGroup.get(group);
      if (row?.creator_id == null || (await revokeToken.run(now, id, group)).changes === 0)
        return (await findToken.get(id, group)) !== undefined;
      const detail = { group: row.public_id };
      await audit({ at: now, actor: row.creator_id, action: 'group_token.revoked', target: id, detail });
      await listed.forgetEnded(row.creator_id, 'group_token', now);
      return true;
    },
  };
}
