import { isBase64url } from './bytes.ts';
import { isDeviceList } from './device-list.ts';
import {
  type Fields,
  isEntryName,
  isFields,
  isListName,
  isListOf,
  isName,
  isOrigin,
  isText,
  isWhole,
} from './forms.ts';
import type { Channel } from './payload.ts';
import { isEntry } from './roster-entry.ts';
import { isTicket } from './ticket.ts';

/** Parses a body (section 7, 'Contents'). This client stores no unknown kinds. */
export type Content =
  | { is: 'message' | 'control'; kind: string }
  /** A content of a later version, or with wrong fields: its fallback is shown. */
  | { is: 'newer'; fallback: string }
  /** Stored whole and not shown. */
  | { is: 'unknown' };

interface Kind {
  is: 'message' | 'control';
  in: 'all' | Channel;
  isRight(body: Fields): boolean;
}

const EVIDENCE_BYTES = 32 * 1024;
const SEQ_MOST = Number.MAX_SAFE_INTEGER;

const isAbsentOr = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);
// 0 means uncounted, so no receipt names it.
const isSeq = (value: unknown): value is number => isWhole(value, 1, SEQ_MOST);

/** By device, at most 20 of them. */
function isByDevice(value: unknown, is: (of: unknown) => boolean): boolean {
  if (!isFields(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= 20 && entries.every(([deviceId, of]) => isBase64url(deviceId, 16) && is(of));
}

const isSeqs = (value: unknown) => isListOf(value, 1, 20, isSeq);

const isInvite = ({ group, name, ticket, relay }: Fields) =>
  isBase64url(group, 16) && isName(name) && isTicket(ticket) && isAbsentOr(relay, isOrigin);

function isHello({ list, group, lists, roster, entries }: Fields): boolean {
  if (!isListName(list)) return false;
  if (!isAbsentOr(group, (id) => isBase64url(id, 16)) || !isAbsentOr(roster, isEntryName)) return false;
  if (!isAbsentOr(lists, (all) => isListOf(all, 0, 8, isDeviceList))) return false;
  if (!isAbsentOr(entries, (all) => isListOf(all, 0, 8, isEntry))) return false;
  return evidenceBytes(lists) + evidenceBytes(entries) <= EVIDENCE_BYTES;
}

const evidenceBytes = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

function isReceipt({ missing, skipped, group, delivered, read, from }: Fields): boolean {
  return (
    [missing, skipped].every((of) => isAbsentOr(of, (all) => isByDevice(all, isSeqs))) &&
    [delivered, read, from].every((of) => isAbsentOr(of, (all) => isByDevice(all, isSeq))) &&
    isAbsentOr(group, (id) => isBase64url(id, 16))
  );
}

const KINDS = new Map<string, Kind>([
  ['text', { is: 'message', in: 'all', isRight: ({ text }) => isText(text, 16_384) }],
  ['invite', { is: 'message', in: 'direct', isRight: isInvite }],
  ['hello', { is: 'control', in: 'all', isRight: isHello }],
  ['receipt', { is: 'control', in: 'direct', isRight: isReceipt }],
]);

/** Validates kind and fields of a body. */
export function contentOf(channel: Channel, body: Fields): Content {
  const kind = typeof body.kind === 'string' ? KINDS.get(body.kind) : undefined;
  if (kind !== undefined && (kind.in === 'all' || kind.in === channel) && kind.isRight(body)) {
    return { is: kind.is, kind: body.kind as string };
  }
  const { fallback } = body;
  return isText(fallback, 1000) ? { is: 'newer', fallback } : { is: 'unknown' };
}

/** Device lists that fit into a `hello` with `entries`. The oldest are left out if there is no room. */
export function thatFit<T>(newestLast: readonly T[], besideBytes = 0): T[] {
  let kept = newestLast.slice(-8);
  while (kept.length > 0 && evidenceBytes(kept) + besideBytes > EVIDENCE_BYTES) kept = kept.slice(1);
  return kept;
}

/** The first entries of a chain that fit into a `hello`. */
export function entriesThatFit<T>(oldestFirst: readonly T[]): T[] {
  let kept = oldestFirst.slice(0, 8);
  while (kept.length > 0 && evidenceBytes(kept) > EVIDENCE_BYTES) kept = kept.slice(0, -1);
  return kept;
}
