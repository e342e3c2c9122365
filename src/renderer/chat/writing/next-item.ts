/** A new line in a list: starts the next item; in an empty item it ends the list. */
import type { Edit, Selected } from './format-shapes.ts';
import { isInCode } from './pasted.ts';

/** Quotes, the indent, and the mark of an item: a bullet, or a number and its delimiter. */
const item = /^((?:> ?)* *)(?:[-*+•]|(\d{1,9})([.)]))( {1,4})/;
/** The longest number that the parser accepts for an item. */
const HIGHEST = 999_999_999;

/** The edit of a new line that replaces the selection; null for a plain new line. */
export function nextItem({ text, from, to }: Selected): Edit | null {
  const start = text.slice(0, from).lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', to);
  const line = text.slice(start, end === -1 ? text.length : end);
  const found = item.exec(line);
  if (!found || from < start + found[0].length || isInCode(text, from)) return null;
  const [mark, lead = '', number, behind = '', space = ''] = found;
  if (line.slice(mark.length).trim() === '') {
    // A quote around the list continues.
    const quote = lead.trimEnd() === '' ? 0 : lead.trimEnd().length + 1;
    return { from: start + Math.min(quote, lead.length), to: start + line.length, put: '' };
  }
  if (number === undefined) {
    return { from, to, put: `\n${mark}` };
  }
  const next = Math.min(Number(number) + 1, HIGHEST);
  return { from, to, put: `\n${lead}${next}${behind}${space}` };
}
