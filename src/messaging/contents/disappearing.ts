/**
 * When a message disappears that says after how long it does (docs/protocol.md, 'Disappearing'). Times are milliseconds since
 * 1970.
 */

const DAY = 24 * 3_600_000;
/** A message that nobody looks at counts as shown after so long. */
export const LONGEST_UNSEEN = 30 * DAY;

export interface Showing {
  /** Whether it is of the own address. */
  isOwn: boolean;
  sentAt: number;
  receivedAt: number;
  /** When a device of this person first showed it; null if none did. */
  shownAt: number | null;
}

/** When a message is erased. @param expires seconds, as the message says */
export function disappearsAt({ isOwn, sentAt, receivedAt, shownAt }: Showing, expires: number): number {
  const latest = receivedAt + LONGEST_UNSEEN;
  const from = isOwn ? sentAt : Math.min(shownAt ?? latest, latest);
  return from + expires * 1_000;
}

/** When the time of a message began, and when it ends. */
export interface Lifetime {
  /** Null while it is not shown, or not sent. */
  beganAt: number | null;
  endsAt: number;
}

/**
 * The time of a message that is stored now. No clock makes it longer than it would be if it began now: a sender's may be ahead,
 * and so may the relay's.
 * @param of what came with it; null of what is written here, whose time begins when it is sent
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
