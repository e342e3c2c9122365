/**
 * JSON that parsers accept and a relay must refuse: a byte order mark, unlimited nesting, a field named twice (two
 * readers may use different ones), a field named like a property that all objects have, and more values than the call can need.
 *
 * Checked on the bytes, before parsing. A parser needs seconds for 16 MiB of JSON that is all keys. The walk is also made in slices,
 * and finds the places at which a long list can be cut, so that it is parsed in parts.
 */
import { ProblemError } from '../problems/problem-error.ts';

/** Deeper than any body of the API, in levels. */
const MAX_DEPTH = 16;
/** Fields of one object, more than any object of the API has. */
const MAX_FIELDS = 32;
/** The longest field name as written, in bytes: longer than any of the API, even if each character is escaped. */
const LONGEST_NAME = 256;
/** A number or a word, in bytes. */
const LONGEST_SCALAR = 64;
/** Bytes of a string that are checked one by one. The end of a longer string is searched. */
const SHORT_STRING = 128;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Names that could give an object another prototype. No field of the API has them. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** The bytes that end a number or a word. */
const ENDS_SCALAR: ReadonlySet<number | undefined> = new Set([
  TAB,
  LINE_FEED,
  RETURN,
  SPACE,
  QUOTE,
  COMMA,
  COLON,
  OPEN_LIST,
  CLOSE_LIST,
  OPEN_OBJECT,
  CLOSE_OBJECT,
]);

/** A list of more than one slice in the outermost object. */
export interface LongList {
  /** Name of its field. */
  name: string;
  /** Place of its opening bracket. */
  start: number;
  /** Places of commas between its elements, about a slice apart. */
  cuts: number[];
  /** Place of its closing bracket. */
  end: number;
}

/**
 * Walks a body before it is parsed; does not check that it is JSON. The time is proportional to the number of bytes, for any
 * content. Yields after each slice.
 * @param mostValues the most objects, lists, texts, numbers and words in the body, in total
 * @param sliceBytes length of a slice
 * @returns the last long list, if there is one
 * @throws ProblemError too_large, invalid_request
 */
export function* walkJson(
  body: Buffer,
  mostValues: number,
  sliceBytes = Infinity,
): Generator<void, LongList | null> {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    throw new ProblemError('invalid_request', 'body_byte_order_mark');
  }
  /** The keys so far of each open object, null for each open array. */
  const open: (string[] | null)[] = [];
  let keyComes = false;
  let values = 0;
  let sliceEnd = sliceBytes;
  /** The last field of the outermost object. */
  let name = '';
  let list: LongList | null = null;
  let longList: LongList | null = null;
  for (let at = 0; at < body.length; at++) {
    if (at >= sliceEnd) {
      yield;
      sliceEnd = at + sliceBytes;
    }
    const byte = body[at];
    switch (byte) {
      case TAB:
      case LINE_FEED:
      case RETURN:
      case SPACE:
      case COLON:
        continue;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (open.length === 2 && list !== null) {
          list.end = at;
          if (byte === CLOSE_LIST && list.cuts.length > 0) longList = list;
          list = null;
        }
        open.pop();
        keyComes = false;
        continue;
      case COMMA:
        keyComes = Array.isArray(open.at(-1));
        if (open.length === 2 && list !== null && at - (list.cuts.at(-1) ?? list.start) >= sliceBytes) {
          list.cuts.push(at);
        }
        continue;
      case QUOTE: {
        const end = endOfString(body, at);
        const keys = open.at(-1);
        if (keyComes && keys) {
          const key = addKey(keys, body, at, end);
          if (open.length === 1) name = key;
          keyComes = false;
        } else values++;
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (open.length === MAX_DEPTH) {
          throw new ProblemError('invalid_request', 'body_deep', { levels: MAX_DEPTH });
        }
        keyComes = byte === OPEN_OBJECT;
        open.push(keyComes ? [] : null);
        if (!keyComes && open.length === 2 && open[0]) list = { name, start: at, cuts: [], end: at };
        values++;
        break;
      default: {
        values++;
        const end = endOfScalar(body, at);
        if (end - at > LONGEST_SCALAR) {
          throw new ProblemError('invalid_request', 'body_scalar_long', { bytes: LONGEST_SCALAR });
        }
        at = end - 1;
      }
    }
    if (values > mostValues) {
      throw new ProblemError('too_large', 'body_values', { values: mostValues });
    }
  }
  return longList;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the body. */
function endOfString(body: Buffer, start: number): number {
  for (let from = start + 1; from < body.length; ) {
    const short = Math.min(from + SHORT_STRING, body.length);
    let at = from;
    for (; at < short; at++) {
      if (body[at] === QUOTE) return at;
      if (body[at] === BACKSLASH) at++;
    }
    // One search for at least 128 bytes: fast for a ciphertext, and no slower for a string of quotes only.
    const end = body.indexOf(QUOTE, at);
    if (end === -1) return body.length;
    let backslashes = 0;
    while (end - 1 - backslashes >= at && body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    from = end + 1;
  }
  return body.length;
}

/** The end of the number or word that begins at `start`. Stops at the longest allowed length. */
function endOfScalar(body: Buffer, start: number): number {
  let end = start + 1;
  while (end < body.length && end - start <= LONGEST_SCALAR && !ENDS_SCALAR.has(body[end])) end++;
  return end;
}

/** Records the key between two quotes. @throws ProblemError invalid_request */
function addKey(keys: string[], body: Buffer, start: number, end: number): string {
  if (end - start > LONGEST_NAME) {
    throw new ProblemError('invalid_request', 'body_name_long', { bytes: LONGEST_NAME });
  }
  if (keys.length === MAX_FIELDS) {
    throw new ProblemError('invalid_request', 'body_object_large', { fields: MAX_FIELDS });
  }
  const key = readKey(body, start, end + 1);
  if (FORBIDDEN_NAMES.has(key)) throw new ProblemError('invalid_request', 'body_not_json');
  if (keys.includes(key)) throw new ProblemError('invalid_request', 'body_field_twice', { field: key });
  keys.push(key);
  return key;
}

/** Places for keys that were read before. */
const KNOWN_KEYS = 256;
/** Keys as written and as read: nearly all keys of requests are a few names, and making a text of bytes takes longer than comparing. */
const knownKeys: ({ written: Uint8Array; key: string } | undefined)[] = new Array(KNOWN_KEYS).fill(undefined);

/** The key of quoted bytes. */
function readKey(body: Buffer, start: number, end: number): string {
  const place = (7 * (end - start) + 31 * (body[start + 1] ?? 0) + (body[end - 2] ?? 0)) % KNOWN_KEYS;
  const known = knownKeys[place];
  if (known && isWritten(known.written, body, start, end)) return known.key;
  const key = keyOf(body.toString('utf8', start, end));
  knownKeys[place] = { written: Uint8Array.from(body.subarray(start, end)), key };
  return key;
}

function isWritten(written: Uint8Array, body: Buffer, start: number, end: number): boolean {
  if (written.length !== end - start) return false;
  for (let at = 0; at < written.length; at++) if (written[at] !== body[start + at]) return false;
  return true;
}

/** A key after unescaping: two different spellings may be the same key. */
function keyOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted; // not JSON, so the parser refuses it
  }
}
