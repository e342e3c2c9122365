/**
 * Resets times further ahead than a message may be. They come from a wrong own clock, or from a message that
 * an earlier version accepted. Otherwise no later value could replace them.
 */
import { latestSentAt } from '../../messaging/trust/replay.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import type { Cache } from './database.ts';

/** Tables with a version in `sent_at`, as text. */
const VERSIONED = ['reactions', 'pins', 'edits', 'own_registers', 'own_reads', 'faces'];

/**
 * Sets such times to now, in the caller's transaction.
 * @param now milliseconds since 1970, by a clock in agreement with the relay's
 */
export function resetFutureTimes(db: Cache, now: number): void {
  const latest = latestSentAt(now);
  const texts = { now: encodeTime(now), latest: encodeTime(latest) };
  for (const table of VERSIONED)
    db.prepare(`UPDATE ${table} SET sent_at = @now WHERE sent_at > @latest`).run(texts);
  db.prepare(
    `UPDATE messages SET edit = json_set(edit, '$.sentAt', @now)
      WHERE edit IS NOT NULL AND edit ->> '$.sentAt' > @latest`,
  ).run(texts);
  db.prepare(
    `UPDATE contacts SET timer = json_set(timer, '$.sentAt', @now)
      WHERE timer IS NOT NULL AND timer ->> '$.sentAt' > @latest`,
  ).run(texts);
  db.prepare('UPDATE conversations SET profile_sent_at = @now WHERE profile_sent_at > @latest').run(texts);
  db.prepare('UPDATE conversations SET last_sent_at = @now WHERE last_sent_at > @latest').run({
    now,
    latest,
  });
}
