/** Depth of JSON before it is parsed: a value that is nested too deeply cannot be copied or written again. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Reports whether a text of JSON exceeds a number of levels of objects and lists. Brackets in strings do not count. */
export function isJsonDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth > levels) return true;
    } else if (CLOSING.has(code)) depth -= 1;
  }
  return false;
}
