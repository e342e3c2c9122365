import { DAY_MS } from './device-list.ts';

/** Protection against repeated and backdated messages of a relay (section 7, 'Replay'). */

const RETENTION_MOST = 90 * DAY_MS;
/** Lifetime of a stored (`sender`, `id`): longer than any retention needs. */
export const REMEMBER_MS = 135 * DAY_MS;

/** Retention in milliseconds: the longest announced by the relay, at most 90 days; 90 days before the first announcement. */
export const retentionMs = (reportedSeconds: number | null): number =>
  reportedSeconds === null ? RETENTION_MOST : Math.min(reportedSeconds * 1000, RETENTION_MOST);

/** Reports whether a message with these times is valid. In milliseconds, except for the relay's times. */
export function timesCount(sentAt: number, now: number, reportedSeconds: number | null): boolean {
  const isTooOld = sentAt < now - retentionMs(reportedSeconds) - 15 * DAY_MS;
  const isAhead = sentAt >= now + DAY_MS;
  return !isTooOld && !isAhead;
}

/** Accepted messages by `sender` and `id`, with whether a device signed them. */
export class AcceptedMessages {
  readonly #signed = new Map<string, number>();
  readonly #other = new Map<string, number>();

  /** Reports whether an earlier message excludes it: a signed one excludes all others. */
  has(sender: string, id: string, isSigned: boolean): boolean {
    const key = `${sender} ${id}`;
    return this.#signed.has(key) || (!isSigned && this.#other.has(key));
  }

  add(sender: string, id: string, isSigned: boolean, now: number): void {
    (isSigned ? this.#signed : this.#other).set(`${sender} ${id}`, now);
  }

  /** Drops messages that were accepted longer ago than required. */
  forget(now: number): void {
    for (const accepted of [this.#signed, this.#other])
      for (const [key, at] of accepted) if (at < now - REMEMBER_MS) accepted.delete(key);
  }
}

/**
 * The time at which a copy counts as received (section 10): no earlier than the previous copy, nor than five
 * minutes before this device last read its queue to its end, and no more than a day ahead. All in
 * milliseconds.
 */
export function countsAsReceived(
  reported: number,
  now: number,
  previous: number | null,
  lastEnd: number | null,
): number {
  const floor = Math.max(previous ?? -Infinity, lastEnd === null ? -Infinity : lastEnd - 5 * 60_000);
  return Math.min(Math.max(reported, floor), now + DAY_MS);
}

/** Reports whether the own clock is close enough to the relay's `Date` for sending and receiving. */
export const clocksAgree = (now: number, relayDate: number): boolean => Math.abs(now - relayDate) <= DAY_MS;
