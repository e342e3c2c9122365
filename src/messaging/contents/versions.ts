/**
 * Order of values: the same on all devices, regardless of the order of arrival (docs/protocol.md, 'Order').
 */
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { latestOwnSentAt, latestSentAt } from '../trust/replay.ts';

/** Sort key of a value. Contains neither `seq` nor the time of arrival. */
export interface Version {
  /** Same as in the body. */
  readonly sentAt: string;
  /** Id of its message: 16 bytes in base64url. */
  readonly id: string;
  /** Wire address. Only relevant if several senders chose the same id. */
  readonly sender: string;
}

/**
 * Negative if `a` is before `b`, positive if after, 0 for the same. Compares `sentAt`, then the bytes of `id`
 * (a different order than their base64url), then `sender`.
 */
export function compareVersions(a: Version, b: Version): number {
  return compareTexts(a.sentAt, b.sentAt) || compareIds(a.id, b.id) || compareTexts(a.sender, b.sender);
}

/** Reports whether a value replaces another one. */
export function replaces(candidate: Version, current: Version | null): boolean {
  return current === null || compareVersions(candidate, current) > 0;
}

/**
 * The `sentAt` of a new message, in milliseconds since 1970. It is now, but after the device's last one in
 * the conversation and after the replaced value, so that a slow clock loses nothing. A new value may be a day
 * ahead of the own clock; values of others are accepted below that, so it replaces each of them. All other messages
 * stay an hour below that limit, for recipients with slow clocks. It is stored before the first copy is sealed.
 * @param last of this device in the conversation; null for none
 * @param replaced of the known value of the register; null without a register
 */
export function nextSentAt(now: number, last: number | null, replaced: number | null): number {
  const next = Math.min(Math.max(now, (last ?? -1) + 1), latestOwnSentAt(now));
  return replaced === null ? next : Math.max(next, Math.min(replaced + 1, latestSentAt(now)));
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
