/**
 * Writes of the operator: marks of verification, suspension, removal.
 */

import type { AccountName, OperatorChange } from '../../operator-records.ts';
import type { GroupKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { addressToBlob, blobToAddress } from '../values.ts';
import type { Audit } from './audit.ts';
import { groupRemover } from './group-rows.ts';

const ACTOR = 'operator';

export function operatorWrites(database: Database, audit: Audit) {
  const verifyHandle = database.prepare('UPDATE handle SET verified = ? WHERE handle = ?');
  const verifyGroup = database.prepare('UPDATE chat_group SET verified = ? WHERE public_id = ?');
  const accountOfAddress = database.prepare<[Buffer], { id: number; address: Buffer }>(
    'SELECT id, address FROM account WHERE address = ?',
  );
  const accountOfHandle = database.prepare<[string], { id: number; address: Buffer }>(
    'SELECT id, address FROM handle JOIN account ON account.id = account_id WHERE handle = ?',
  );
  const suspend = database.prepare('UPDATE account SET suspended_at = ? WHERE id = ?');
  const credentials = database.prepare<[number], { public_id: string }>(
    'SELECT public_id FROM credential WHERE account_id = ? AND revoked_at IS NULL',
  );
  const findGroup = database.prepare<[number], { public_id: string; member_count: number }>(
    'SELECT public_id, member_count FROM chat_group WHERE id = ?',
  );
  const remove = groupRemover(database);

  return {
    async setHandleVerified(handle: string, verified: boolean, now: number): Promise<boolean> {
      if ((await verifyHandle.run(verified ? 1 : 0, handle)).changes === 0) return false;
      await audit({
        at: now,
        actor: ACTOR,
        action: verified ? 'handle.verified' : 'handle.unverified',
        target: `@${handle}`,
      });
      return true;
    },

    async setGroupVerified(id: string, verified: boolean, now: number): Promise<boolean> {
      if ((await verifyGroup.run(verified ? 1 : 0, id)).changes === 0) return false;
      await audit({
        at: now,
        actor: ACTOR,
        action: verified ? 'group.verified' : 'group.unverified',
        target: id,
      });
      return true;
    },

    async setSuspended(name: AccountName, suspended: boolean, now: number): Promise<OperatorChange | null> {
      const account =
        'address' in name
          ? await accountOfAddress.get(addressToBlob(name.address))
          : await accountOfHandle.get(name.handle);
      if (!account) return null;
      const address = blobToAddress(account.address);
      await suspend.run(suspended ? now : null, account.id);
      await audit({
        at: now,
        actor: ACTOR,
        action: suspended ? 'account.suspended' : 'account.unsuspended',
        target: address,
      });
      const stopped = suspended ? await credentials.all(account.id) : [];
      return { address, credentials: stopped.map((row) => row.public_id) };
    },

    async removeGroup(group: GroupKey, now: number): Promise<string[] | null> {
      const row = await findGroup.get(group);
      if (!row) return null;
      const tokens = await remove(group);
      const detail = { members: row.member_count, tokens: tokens.length };
      await audit({ at: now, actor: ACTOR, action: 'group.removed', target: row.public_id, detail });
      return tokens;
    },

    async recordBackup(bytes: number, now: number): Promise<void> {
      await audit({ at: now, actor: ACTOR, action: 'backup.written', target: 'relay.db', detail: { bytes } });
    },
  };
}
