/**
 * What parsers let pass and a relay must not: a byte order mark, nesting without end, and an object that
 * names a field twice, of which two readers may take different ones.
 */

/** Deeper than any body of the API, in levels. */
const MOST_DEPTH = 16;

/**
 * Why a body is not taken, or null. To be asked before it is parsed; says nothing about whether it is JSON at all.
 * Passes over strings by searching their end, so that long ciphertexts cost little.
 */
export function findJsonLimitProblem(text: string): string | null {
  if (text.startsWith('\ufeff')) return 'The body begins with a byte order mark. JSON has none.';
  /** For each open object its keys so far, for each open array null. */
  const open: (Set<string> | null)[] = [];
  let keyComes = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.length === MOST_DEPTH) return `The body is nested deeper than ${MOST_DEPTH} levels.`;
        keyComes = text[at] === '{';
        open.push(keyComes ? new Set() : null);
        break;
      case '}':
      case ']':
        open.pop();
        keyComes = false;
        break;
      case ',':
        keyComes = open.at(-1) instanceof Set;
        break;
      case '"': {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (keyComes && keys) {
          const key = keyOf(text.slice(at, end + 1));
          if (keys.has(key)) return `The body names the field "${key}" twice in one object.`;
          keys.add(key);
          keyComes = false;
        }
        at = end;
      }
    }
  }
  return null;
}

/** Where the string that begins at `start` ends: at its closing quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** A key as it is meant: two that are written differently may be one. */
function keyOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted; // no JSON, so the parser refuses it
  }
}
