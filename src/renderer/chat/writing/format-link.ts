/**
 * Links are bare addresses: a message cannot show one and open another. A text that looks like an address becomes a
 * link by its scheme; after other words a place for the address is inserted.
 */
import type { Formatting, Selected } from './format-shapes.ts';

const SCHEME = 'https://';
const link = /^(?:https:\/\/|mailto:)(?=\S)/i;
const site = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d{1,5})?(?:[/?#]\S*)?$/u;
const mail = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;

export function linkEdits({ text, from, to }: Selected): Formatting {
  const isCaret = from === to;
  const [before, behind] = [text.slice(0, from), text.slice(to)];
  if (isCaret && before.endsWith(` (${SCHEME}`) && behind.startsWith(')')) {
    const start = from - SCHEME.length - 2;
    return { edits: [{ from: start, to: to + 1, put: '' }], from: start, to: start };
  }
  if (isCaret && before.endsWith(SCHEME) && !/^\S/.test(behind)) {
    const start = from - SCHEME.length;
    return { edits: [{ from: start, to, put: '' }], from: start, to: start };
  }
  const chosen = text.slice(from, to);
  const start = isCaret ? from - (/\S*$/.exec(before)?.[0].length ?? 0) : from + leading(chosen);
  const end = isCaret ? to + (/^\S*/.exec(behind)?.[0].length ?? 0) : start + chosen.trim().length;
  const word = text.slice(start, end);
  const known = link.exec(word)?.[0];
  if (known !== undefined) {
    const moved = (place: number) => Math.max(start, place - known.length);
    return {
      edits: [{ from: start, to: start + known.length, put: '' }],
      from: moved(isCaret ? from : start),
      to: moved(isCaret ? to : end),
    };
  }
  const scheme = site.test(word) ? SCHEME : mail.test(word) ? 'mailto:' : null;
  if (scheme !== null) {
    const edits = [{ from: start, to: start, put: scheme }];
    const { length } = scheme;
    return { edits, from: isCaret ? from + length : start, to: isCaret ? to + length : end + length };
  }
  const opening = word === '' ? SCHEME : ` (${SCHEME}`;
  const caret = end + opening.length;
  return {
    edits: [{ from: end, to: end, put: word === '' ? opening : `${opening})` }],
    from: caret,
    to: caret,
  };
}

function leading(text: string): number {
  return text.trim() === '' ? 0 : text.length - text.trimStart().length;
}
