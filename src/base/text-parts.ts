/** Splits a text that is too long for one message. */
import { isBlank } from './invisible.ts';

/** A stretch of a text, in UTF-16 code units. */
export interface Stretch {
  from: number;
  to: number;
}

/** The part of a longer text for one message. */
export interface TextPart extends Stretch {
  text: string;
  /** Start of the stretch in `text`: after the line that reopens a code block. */
  lead: number;
}

const MARKS = '```';
const CLOSING = `\n${MARKS}`;
const language = /[\w+#.-]{0,32}\n/y;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/**
 * Distance before the limit in which a character of several code points is looked for. Longer ones are cut.
 */
const longestGrapheme = 256;

interface CodeBlock extends Stretch {
  opening: string;
  /** Start of its first line, and of its closing marks. */
  body: number;
  close: number;
}

/**
 * Splits a text between paragraphs, else between lines, words or characters. A split code block is closed and
 * reopened. Blank space at a split is removed.
 * @param most bytes of UTF-8 per part, at least 200
 * @param whole unsplittable stretches in order: the mentions. Each is shorter than half of a part
 * @returns at least one part if the text has a visible character; invisible parts are left out
 */
export function textParts(text: string, most: number, whole: readonly Stretch[] = []): TextPart[] {
  const blocks = codeBlocks(text);
  const parts: TextPart[] = [];
  let from = 0;
  let opening = '';
  while (from < text.length) {
    const room = most - opening.length;
    const fits = endWithin(text, from, room) === text.length;
    const cut = fits ? text.length : findCut(text, from, endWithin(text, from, room - CLOSING.length), whole);
    const block = blocks.find((each) => each.from < cut && cut < each.to);
    const begin = block && block.from > from && cut <= block.body ? block.from : cut;
    const isInside = block !== undefined && begin > block.body;
    const to = isInside ? Math.min(begin, block.close) : begin;
    const body = text.slice(from, to).trimEnd();
    if (!isBlank(body)) {
      const words = opening + body + (isInside ? CLOSING : '');
      parts.push({ text: words, from, to: from + body.length, lead: opening.length });
    }
    const isOver = isInside && isBlank(text.slice(to, block.close));
    opening = isInside && !isOver ? block.opening : '';
    from = isOver ? block.to : to;
    // A line keeps its indentation.
    if (text[from] === ' ') from += 1;
    while (text[from] === '\n') from += 1;
  }
  return parts;
}

/** Code blocks as the interface shows them: marks, a language, a line break, and marks again. */
function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (let at = text.indexOf(MARKS); at !== -1; at = text.indexOf(MARKS, at)) {
    language.lastIndex = at + MARKS.length;
    const body = language.test(text) ? language.lastIndex : -1;
    const close = text.indexOf(MARKS, Math.max(body, at + MARKS.length));
    if (close === -1) break;
    const to = close + MARKS.length;
    if (body !== -1) blocks.push({ from: at, opening: text.slice(at, body), body, close, to });
    at = body === -1 ? at + MARKS.length : to;
  }
  return blocks;
}

/** End of the longest stretch from `from` with at most `most` bytes. */
function endWithin(text: string, from: number, most: number): number {
  let left = most;
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    if (left < 0) break;
    at += code < 0x1_0000 ? 1 : 2;
  }
  return at;
}

/** Place for a split between `from` and `end`: in the second half, if there is a good place. */
function findCut(text: string, from: number, end: number, whole: readonly Stretch[]): number {
  const good = goodCut(text, from, end);
  const cut = whole.find((each) => each.from < good && good < each.to);
  return cut && cut.from > from ? cut.from : good;
}

function goodCut(text: string, from: number, end: number): number {
  const half = from + Math.floor((end - from) / 2);
  for (const between of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(between, end);
    if (at > half) return at;
  }
  const start = Math.max(half, end - longestGrapheme);
  const nearby = text.slice(start, end + longestGrapheme);
  const grapheme = graphemes.segment(nearby).containing(end - start);
  const begin = start + (grapheme?.index ?? 0);
  return begin > half ? begin : end;
}
