/**
 * Writes of links: each waits for a short time and is taken once.
 */
import type { AccountKey, LinkOutcome, NewLink } from '../../records.ts';
import type { Database } from '../database.ts';
import { toBlob, toText } from '../values.ts';

interface LinkRow {
  account_id: number;
  sealed: Buffer;
  expires_at: number;
}

export function linkWrites(database: Database) {
  const find = database.prepare<[Buffer], LinkRow>(
    'SELECT account_id, sealed, expires_at FROM link WHERE link_id = ?',
  );
  const countPending = database
    .prepare<[number, number], number>('SELECT count(*) FROM link WHERE account_id = ? AND expires_at > ?')
    .pluck();
  const deleteExpired = database.prepare('DELETE FROM link WHERE expires_at <= ?');
  const insert = database.prepare('INSERT INTO link VALUES (?, ?, ?, ?)');
  const deleteOwn = database.prepare(
    'DELETE FROM link WHERE link_id = ? AND account_id = ? AND expires_at > ?',
  );
  const take = database
    .prepare<[Buffer, number], Buffer>(
      'DELETE FROM link WHERE link_id = ? AND expires_at > ? RETURNING sealed',
    )
    .pluck();

  return {
    saveLink(link: NewLink, now: number, most: number): LinkOutcome {
      const [id, sealed] = [toBlob(link.id), toBlob(link.sealed)];
      const known = find.get(id);
      if (known && known.expires_at > now) {
        const isSame = known.account_id === link.account && known.sealed.equals(sealed);
        return isSame ? { status: 'waiting', expiresAt: known.expires_at } : { status: 'conflict' };
      }
      if ((countPending.get(link.account, now) ?? 0) >= most) return { status: 'full' };
      deleteExpired.run(now);
      insert.run(id, link.account, sealed, link.expiresAt);
      return { status: 'waiting', expiresAt: link.expiresAt };
    },

    deleteLink(account: AccountKey, id: string, now: number): boolean {
      return deleteOwn.run(toBlob(id), account, now).changes > 0;
    },

    takeLink(id: string, now: number): string | null {
      const sealed = take.get(toBlob(id), now);
      return sealed ? toText(sealed) : null;
    },
  };
}
