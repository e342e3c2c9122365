/** Writes of links: new computers that wait for a short time, and the offers for them. */
import type { LinkOutcome, NewLink, OfferOutcome, StoredOffer } from '../../records.ts';
import { type Database, inserted, type SqlValue } from '../database.ts';
import { toBlob } from '../values.ts';

/** The most waiting computers. The next one replaces the oldest. */
const MAX_LINKS = 20_000;

interface LinkRow {
  name: string;
  offer: string | null;
  expires_at: number;
}

export function linkWrites(database: Database) {
  const find = database.prepare<[Buffer, number], LinkRow>(
    'SELECT name, offer, expires_at FROM link WHERE device_id = ? AND expires_at > ?',
  );
  const deleteExpired = database.prepare('DELETE FROM link WHERE expires_at <= ?');
  const insert = database
    .prepare<SqlValue[], number>(
      'INSERT INTO link (device_id, device_key, name, expires_at) VALUES (?, ?, ?, ?) RETURNING id',
    )
    .pluck();
  const forgetOldest = database.prepare<[number]>('DELETE FROM link WHERE id <= ?');
  const saveOffer = database.prepare('UPDATE link SET offer = ? WHERE device_id = ?');

  return {
    async saveLink({ id, key, name, expiresAt }: NewLink, now: number): Promise<LinkOutcome> {
      const known = await find.get(toBlob(id), now);
      // Its key needs no comparison: the id is a hash of it.
      if (known)
        return known.name === name
          ? { status: 'waiting', expiresAt: known.expires_at }
          : { status: 'conflict' };
      await deleteExpired.run(now);
      const link = await inserted(insert.get(toBlob(id), toBlob(key), name, expiresAt));
      await forgetOldest.run(link - MAX_LINKS);
      return { status: 'waiting', expiresAt };
    },

    async saveOffer(id: string, offer: StoredOffer, now: number): Promise<OfferOutcome> {
      const known = await find.get(toBlob(id), now);
      if (!known) return 'gone';
      const text = JSON.stringify(offer);
      if (known.offer !== null) return known.offer === text ? 'offered' : 'conflict';
      await saveOffer.run(text, toBlob(id));
      return 'offered';
    },
  };
}
