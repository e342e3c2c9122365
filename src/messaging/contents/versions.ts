/**
 * Which of two values is the later one, on all devices alike, in whatever order they come (docs/protocol.md, 'Order').
 */
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { latestOwnSentAt } from '../trust/replay.ts';

/** What orders a value: neither `seq` nor when it came. */
export interface Version {
  /** As it stands in the body. */
  readonly sentAt: string;
  /** Of the message that brought it: 16 bytes in base64url. */
  readonly id: string;
  /** Wire address. Orders only values of several senders that chose one id. */
  readonly sender: string;
}

/**
 * Negative if `a` is before `b`, positive if after, 0 for the same. By `sentAt`, then by the bytes of `id`, whose order is not
 * that of their base64url, then by `sender`.
 */
export function compareVersions(a: Version, b: Version): number {
  return compareTexts(a.sentAt, b.sentAt) || compareIds(a.id, b.id) || compareTexts(a.sender, b.sender);
}

/** Whether a value takes the place of another one. */
export function replaces(candidate: Version, current: Version | null): boolean {
  return current === null || compareVersions(candidate, current) > 0;
}

/**
 * The `sentAt` of a new message, in milliseconds since 1970: now, but after the device's last one in the conversation and after the
 * value that it replaces, so that a clock that is behind loses nothing. It is never further ahead of the own clock than
 * recipients accept, whatever others have dated theirs. It is stored before the first copy is sealed.
 * @param last of this device in the conversation; null if there is none
 * @param replaced of the register's value that this device knows; null if it sets none
 */
export function nextSentAt(now: number, last: number | null, replaced: number | null): number {
  return Math.min(Math.max(now, (last ?? -1) + 1, (replaced ?? -1) + 1), latestOwnSentAt(now));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [decodeBase64Url(a), decodeBase64Url(b)];
  const place = left.findIndex((byte, index) => byte !== right[index]);
  return (left[place] ?? 0) - (right[place] ?? 0);
}
