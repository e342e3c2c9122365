/** End of a disappearing message (docs/protocol.md, 'Disappearing'). Times are milliseconds since 1970. */

const DAY = 24 * 3_600_000;
/** Time after which an unread message counts as shown. */
export const LONGEST_UNSEEN = 30 * DAY;

export interface Showing {
  /** True if it is from the own address. */
  isOwn: boolean;
  sentAt: number;
  receivedAt: number;
  /** Time at which a device of this person first showed it; null if not shown. */
  shownAt: number | null;
}

/**
 * Time at which a message is erased.
 * @param expires its lifetime in seconds
 */
export function disappearsAt({ isOwn, sentAt, receivedAt, shownAt }: Showing, expires: number): number {
  const latest = receivedAt + LONGEST_UNSEEN;
  const from = isOwn ? sentAt : Math.min(shownAt ?? latest, latest);
  return from + expires * 1_000;
}

/** Start and end of a message's lifetime. */
export interface Lifetime {
  /** Null until it is shown, or sent. */
  beganAt: number | null;
  endsAt: number;
}

/**
 * Lifetime of a message at the time of storing. It never exceeds a lifetime that starts now: the sender's
 * clock or the relay's may be ahead.
 * @param of times of a received message; null for an own one, whose lifetime starts when it is sent
 */
export function lifetimeOf(
  expires: number,
  of: { isOwn: boolean; sentAt: number; receivedAt: number } | null,
  now: number,
): Lifetime {
  if (of?.isOwn) {
    const beganAt = Math.min(of.sentAt, now);
    return { beganAt, endsAt: beganAt + expires * 1_000 };
  }
  const receivedAt = Math.min(of?.receivedAt ?? now, now);
  const showing = { isOwn: false, sentAt: 0, receivedAt, shownAt: null };
  return { beganAt: null, endsAt: disappearsAt(showing, expires) };
}
