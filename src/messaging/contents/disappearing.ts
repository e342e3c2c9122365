/**
 * When a message disappears that says after how long it does (docs/protocol.md, 'Disappearing'). Times are milliseconds since
 * 1970.
 */

const DAY = 24 * 3_600_000;
/** A message that nobody looks at counts as shown after so long. */
const LONGEST_UNSEEN = 30 * DAY;

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
