import { DAY_MS } from './device-list.ts';

/** What keeps a relay from delivering again what was delivered, and from dating back (section 7, 'Replay'). */

const RETENTION_MOST = 90 * DAY_MS;
/** How long (`sender`, `id`) is remembered: longer than any retention needs. */
export const REMEMBER_MS = 135 * DAY_MS;

/** Retention in milliseconds: the longest that the relay has told, at most 90 days, and 90 before it has told any. */
export const retentionMs = (toldSeconds: number | null): number =>
  toldSeconds === null ? RETENTION_MOST : Math.min(toldSeconds * 1000, RETENTION_MOST);

/** Whether a message with these times counts. All in milliseconds, but what the relay has told. */
export function timesCount(sentAt: number, now: number, toldSeconds: number | null): boolean {
  const isTooOld = sentAt < now - retentionMs(toldSeconds) - 15 * DAY_MS;
  const isAhead = sentAt > now + DAY_MS;
  return !isTooOld && !isAhead;
}

/** Which messages were taken: by `sender` and `id`, and whether a device had signed them. */
export class Taken {
  readonly #signed = new Map<string, number>();
  readonly #other = new Map<string, number>();

  /** Whether such a message stands in the way: what a device signed stands in the way of all. */
  has(sender: string, id: string, isSigned: boolean): boolean {
    const key = `${sender} ${id}`;
    return this.#signed.has(key) || (!isSigned && this.#other.has(key));
  }

  add(sender: string, id: string, isSigned: boolean, now: number): void {
    (isSigned ? this.#signed : this.#other).set(`${sender} ${id}`, now);
  }

  /** Drops what was taken longer ago than has to be remembered. */
  forget(now: number): void {
    for (const taken of [this.#signed, this.#other])
      for (const [key, at] of taken) if (at < now - REMEMBER_MS) taken.delete(key);
  }
}

/**
 * When a copy counts as received (section 10): no earlier than the copy before it, nor than five minutes before this
 * device last read its queue to its end, and no more than a day ahead. All in milliseconds.
 */
export function countsAsReceived(
  told: number,
  now: number,
  previous: number | null,
  lastEnd: number | null,
): number {
  const floor = Math.max(previous ?? -Infinity, lastEnd === null ? -Infinity : lastEnd - 5 * 60_000);
  return Math.min(Math.max(told, floor), now + DAY_MS);
}

/** Whether the own clock is near enough to the relay's `Date` to send and take anything. */
export const clocksAgree = (now: number, relayDate: number): boolean => Math.abs(now - relayDate) <= DAY_MS;
