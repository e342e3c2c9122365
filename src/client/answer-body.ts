/**
 * Reading what answers at a relay's address, which may be anything: so much of it and no more, as it comes.
 */
import type { EndpointName } from '../protocol/endpoints.ts';
import { INBOX_PAGE } from '../protocol/limits.ts';
import { RelayUnreachable } from './errors.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** The longest answer to a call that has no row of its own, and the longest problem, in bytes. */
const USUAL_BYTES = 64 * KIBIBYTE;
/** A group of 5,000 devices with their statements has about 5 MiB. */
const GROUP_BYTES = 16 * MEBIBYTE;

/** The longest answers, in bytes, above what the relays of today give. */
const ANSWER_BYTES: { readonly [N in EndpointName]?: number } = {
  // Relays end a page of the inbox at 4 MiB of ciphertext, unless their operators say otherwise.
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
 * The longest answer to a call, in bytes.
 * @param query of the call: a page of the inbox is as long as was asked for
 */
export function mostBytesOf(name: EndpointName, query: object | undefined): number {
  const most = ANSWER_BYTES[name] ?? USUAL_BYTES;
  if (name !== 'getInbox') return most;
  const limit =
    query && 'limit' in query && typeof query.limit === 'number' ? query.limit : INBOX_PAGE.default;
  return Math.min(most, USUAL_BYTES + limit * INBOX_ENVELOPE_BYTES);
}

/** The longest answer where the call has none of its own, in bytes. */
export const MOST_OTHER_BYTES = USUAL_BYTES;

/**
 * The body of an answer as text, read only as far as it may go.
 * @param most in bytes
 * @throws RelayUnreachable if it is longer, compressed (a few kilobytes may become gigabytes), or no UTF-8
 */
export async function readBody(response: Response, most: number): Promise<string> {
  refuseCompressed(response);
  if (!response.body) return '';
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop by an error cancels the rest and frees the connection.
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

/** Deeper than any answer of the API, in levels. */
const MOST_DEPTH = 16;
/** An honest answer has more than so many bytes for each of its values. */
const LEAST_BYTES_PER_VALUE = 6;
const FEW_VALUES = 1_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * A body as JSON; undefined if it is none, or one that costs far more to hold than it has bytes: nested without end,
 * or made of nothing but tiny values.
 */
export function parseBody(text: string): unknown {
  if (!isModest(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Passes over strings by searching for their end, so that long ciphertexts cost little. */
function isModest(text: string): boolean {
  const most = FEW_VALUES + text.length / LEAST_BYTES_PER_VALUE;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        depth++;
        values++;
        if (depth > MOST_DEPTH) return false;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ',':
        values++;
        break;
      case '"':
        at = endOfString(text, at);
    }
    if (values > most) return false;
  }
  return true;
}

/** Where the string that begins at `start` ends: at its closing quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}
