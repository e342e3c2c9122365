/** Limits of JSON, counted in its text. Each reader of foreign JSON uses them. */

/** Levels of objects and lists in a body. Deeper nesting overflows the stack when it is written or copied. */
export const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

export interface JsonLimits {
  /** Levels of objects and lists. */
  levels: number;
  /** Objects, lists and values between commas; by default any number. */
  values?: number;
}

/** Reports whether a text of JSON exceeds limits. Brackets and commas in strings do not count. */
export function exceedsJsonLimits(
  text: string,
  { levels, values: most = Number.POSITIVE_INFINITY }: JsonLimits,
): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (OPENING.has(code)) {
      depth += 1;
      values += 1;
    } else if (CLOSING.has(code)) depth -= 1;
    if (depth > levels || values > most) return true;
  }
  return false;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}
