/**
 * Quotes and lists: what makes a line of a message more than text.
 */

/** A line, or what is left of it behind the marks of a quote, by places in the source. */
export interface Line {
  from: number;
  to: number;
}

/** A line that is an item of a list. */
export interface ItemLine {
  indent: number;
  /** null in a bulleted list. */
  number: number | null;
  /** Where its words begin. */
  start: number;
}

const itemBeginning = /[-*+•\d ]/;
const itemPattern = /^( {0,12})(?:[-*+•]|(\d{1,9})[.)]) {1,4}(?=\S)/;
/** No beginning of an item is longer. */
const LONGEST_ITEM_MARK = 32;

/** Where the words of a quoted line begin; null if it is not quoted, as `>:(` is not. */
export function quoteStart(source: string, { from, to }: Line): number | null {
  if (from >= to || source[from] !== '>') return null;
  const after = from + 1;
  if (after === to || source[after] === '>') return after;
  return source[after] === ' ' ? after + 1 : null;
}

export function itemLine(source: string, { from, to }: Line): ItemLine | null {
  if (from >= to || !itemBeginning.test(source[from] ?? '')) return null;
  const found = itemPattern.exec(source.slice(from, Math.min(to, from + LONGEST_ITEM_MARK)));
  if (!found) return null;
  const [mark, spaces = '', digits] = found;
  return {
    indent: spaces.length,
    number: digits === undefined ? null : Number(digits),
    start: from + mark.length,
  };
}

/** The line that begins at a place. */
export function lineAt(source: string, from: number, end: number): Line {
  const newline = source.indexOf('\n', from);
  return { from, to: newline === -1 ? end : Math.min(newline, end) };
}

/** The lines from a place on, as long as each is of the same kind as the first. */
export function linesWhile(
  source: string,
  first: Line,
  end: number,
  isOne: (line: Line) => boolean,
): [Line, ...Line[]] {
  const lines: [Line, ...Line[]] = [first];
  let last = first;
  while (last.to < end) {
    const line = lineAt(source, last.to + 1, end);
    if (!isOne(line)) break;
    lines.push(line);
    last = line;
  }
  return lines;
}
