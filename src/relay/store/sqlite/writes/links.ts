/**
 * Writes of links: new computers that wait for a short time, and the offers that they get.
 */
import type { LinkOutcome, NewLink, OfferOutcome, StoredOffer } from '../../records.ts';
import type { Database } from '../database.ts';
import { toBlob } from '../values.ts';

/** Computers that wait in all. One more takes the place of the oldest. */
const MOST_LINKS = 20_000;

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
  const insert = database.prepare(
    'INSERT INTO link (device_id, device_key, name, expires_at) VALUES (?, ?, ?, ?)',
  );
  const forgetOldest = database.prepare<[number]>('DELETE FROM link WHERE id <= ?');
  const saveOffer = database.prepare('UPDATE link SET offer = ? WHERE device_id = ?');

  return {
    saveLink({ id, key, name, expiresAt }: NewLink, now: number): LinkOutcome {
      const known = find.get(toBlob(id), now);
      // Its key needs no look: the id is a hash of it.
      if (known)
        return known.name === name
          ? { status: 'waiting', expiresAt: known.expires_at }
          : { status: 'conflict' };
      deleteExpired.run(now);
      const { lastInsertRowid } = insert.run(toBlob(id), toBlob(key), name, expiresAt);
      forgetOldest.run(Number(lastInsertRowid) - MOST_LINKS);
      return { status: 'waiting', expiresAt };
    },

    saveOffer(id: string, offer: StoredOffer, now: number): OfferOutcome {
      const known = find.get(toBlob(id), now);
      if (!known) return 'gone';
      const text = JSON.stringify(offer);
      if (known.offer !== null) return known.offer === text ? 'offered' : 'conflict';
      saveOffer.run(text, toBlob(id));
      return 'offered';
    },
  };
}
