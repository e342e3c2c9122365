/** Bounded reading of an answer from a relay's address, which may be any server. */
import type { EndpointName } from '../protocol/endpoints.ts';
import { exceedsJsonLimits } from '../protocol/json.ts';
import { INBOX_PAGE } from '../protocol/limits.ts';
import { RelayUnreachable } from './errors.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** The default limit of an answer, and of every problem, in bytes. */
const USUAL_BYTES = 64 * KIBIBYTE;
/** A group of 5,000 devices with their statements has about 5 MiB. */
const GROUP_BYTES = 16 * MEBIBYTE;

/** Limits of the longer answers, in bytes, above those of today's relays. */
const ANSWER_BYTES: { readonly [N in EndpointName]?: number } = {
  // Relays end a page of the inbox at 4 MiB of ciphertext by default.
  getInbox: 24 * MEBIBYTE,
  getGroup: GROUP_BYTES,
  createGroup: GROUP_BYTES,
  // A page of 1 MiB of bodies has a third more in base64url, and beside each its signature.
  getRoster: 4 * MEBIBYTE,
  sendGroupEnvelopes: 4 * MEBIBYTE,
  sendEnvelopes: MEBIBYTE,
  // A list of 16 devices has 3 KiB.
  getKeyHistory: 256 * KIBIBYTE,
  getKeyHistories: MEBIBYTE,
  // 1,000 of 1,184 bytes.
  getPqKeys: 2 * MEBIBYTE,
  searchHandles: 256 * KIBIBYTE,
  searchGroups: 256 * KIBIBYTE,
};

/** One sealed envelope in an inbox, with everything beside it, in bytes. */
const INBOX_ENVELOPE_BYTES = 96 * KIBIBYTE;

/**
 * The size limit of a call's answer, in bytes.
 * @param query of the call: the limit of an inbox page depends on it
 */
export function mostBytesOf(name: EndpointName, query: object | undefined): number {
  const most = ANSWER_BYTES[name] ?? USUAL_BYTES;
  if (name !== 'getInbox') return most;
  const limit =
    query && 'limit' in query && typeof query.limit === 'number' ? query.limit : INBOX_PAGE.default;
  return Math.min(most, USUAL_BYTES + limit * INBOX_ENVELOPE_BYTES);
}

/** The size limit of an answer outside the table, in bytes. */
export const MAX_OTHER_BYTES = USUAL_BYTES;

/**
 * The body of an answer as text, read only up to a limit.
 * @param most in bytes
 * @throws RelayUnreachable if it is longer, compressed (a few kilobytes may become gigabytes), or invalid UTF-8
 */
export async function readBody(response: Response, most: number): Promise<string> {
  refuseCompressed(response);
  if (!response.body) return '';
  const parts: Uint8Array[] = [];
  let length = 0;
  // An error in the loop cancels the rest and frees the connection.
  for await (const part of response.body) {
    length += part.length;
    if (length > most) throw new RelayUnreachable('relay_answer_long');
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts, length));
  } catch {
    return '';
  }
}

/** @throws RelayUnreachable if an answer is compressed: a few kilobytes may become gigabytes */
export function refuseCompressed(response: Response): void {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  response.body?.cancel().catch(() => undefined);
  throw new RelayUnreachable('relay_answer_compressed');
}

/** Levels of nesting, more than in any answer of the API. */
const MAX_DEPTH = 16;
/** The least average size of a value in an honest answer, in bytes. */
const LEAST_BYTES_PER_VALUE = 6;
const FEW_VALUES = 1_000;

/**
 * A body as JSON; undefined if it is invalid, or would cost far more memory than its length: too deeply nested, or
 * made of tiny values only.
 */
export function parseBody(text: string): unknown {
  const values = FEW_VALUES + text.length / LEAST_BYTES_PER_VALUE;
  if (exceedsJsonLimits(text, { levels: MAX_DEPTH, values })) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
