/** Quotes and lists: the line prefixes of a message. */

/** A line, or its rest after the marks of a quote, by positions in the source. */
export interface Line {
  from: number;
  to: number;
}

/** A line with a list item. */
export interface ItemLine {
  indent: number;
  /** Null in a bulleted list. */
  number: number | null;
  /** Start of its text. */
  start: number;
}

const itemBeginning = /[-*+•\d ]/;
const itemPattern = /^( {0,12})(?:[-*+•]|(\d{1,9})[.)]) {1,4}(?=\S)/;
/** The longest prefix of an item. */
const LONGEST_ITEM_MARK = 32;

/** Start of a quoted line's text; null if it is not quoted, as `>:(` is not. */
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

/** The line that starts at a position. */
export function lineAt(source: string, from: number, end: number): Line {
  const newline = source.indexOf('\n', from);
  return { from, to: newline === -1 ? end : Math.min(newline, end) };
}

/** The lines from a position on that have the same kind as the first. */
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
