/**
 * Marks around the selection in a text, or at the caret: added, or removed if present. The marks are those of
 * src/base/markdown/markdown.ts.
 */

import { tokenize } from '../../../base/markdown/markdown.ts';
import { textWithoutMarks } from '../../../base/markdown/words.ts';
import type { WrittenMention } from '../../../bridge/shapes/message.ts';
import { fenceEdits, hasFence, hasLineMarks, type LineFormat, lineEdits } from './format-lines.ts';
import { linkEdits } from './format-link.ts';
import type { Edit, Formatting, Selected } from './format-shapes.ts';
import type { Written } from './written.ts';

export const formats = ['bold', 'italic', 'strike', 'code', 'link', 'quote', 'list'] as const;
export type Format = (typeof formats)[number];

/** Part of a line. */
interface Part {
  from: number;
  to: number;
}

/** Equal runs of one character on both sides of a part, which is between `from` and `to`. */
interface Layer extends Part {
  mark: string;
  length: number;
}

type InlineFormat = Exclude<Format, LineFormat | 'link'>;

/** The marks of each; the first is the one inserted. */
const marks: Readonly<Record<InlineFormat, readonly string[]>> = {
  bold: ['**', '__'],
  italic: ['_', '*'],
  strike: ['~~'],
  code: ['`'],
};
const LONGEST_FENCE = 3;

/** Adds marks to the selection, or removes them; null if nothing can be marked. */
export function formatting(selected: Selected, format: Format): Formatting | null {
  const whole = withoutHalves(selected);
  if (format === 'link') return linkEdits(whole);
  if (format === 'quote' || format === 'list') return after(whole, lineEdits(whole, format));
  if (format === 'code' && hasLines(whole)) {
    const block = withoutSpace(whole);
    return after(block, fenceEdits(block));
  }
  return inlineEdits(whole, format);
}

/** Reports whether the selection already has the marks. */
export function isFormatted(selected: Selected, format: Format): boolean {
  const whole = withoutHalves(selected);
  if (format === 'link') return /^(?:https:\/\/|mailto:)\S/i.test(wordAround(whole));
  if (format === 'quote' || format === 'list') return hasLineMarks(whole, format);
  if (format === 'code' && hasLines(whole)) return hasFence(withoutSpace(whole));
  const parts = partsOf(whole, format);
  const isMarked = parts.length > 0 && parts.every((part) => marksOf(whole.text, part, format) !== null);
  return isMarked || markBehind(whole, format) !== null;
}

/** The text after formatting: untouched mentions stay. */
export function afterFormatting({ text, mentions }: Written, edits: readonly Edit[]): Written {
  let next = '';
  let end = 0;
  for (const edit of edits) {
    next += text.slice(end, edit.from) + edit.put;
    end = edit.to;
  }
  const moved = mentions.flatMap((mention): WrittenMention[] => {
    const isTouched = edits.some(({ from, to }) => from < mention.to && to > mention.from);
    if (isTouched) return [];
    const before = edits.filter(({ to }) => to <= mention.from);
    const by = before.reduce((sum, { from, to, put }) => sum + put.length - (to - from), 0);
    return [{ ...mention, from: mention.from + by, to: mention.to + by }];
  });
  return { text: next + text.slice(end), mentions: moved };
}

/** The number of backticks around code: more than any run in it, or fewer. */
export function fenceFor(code: string): string {
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  for (let length = 1; length <= LONGEST_FENCE; length++) if (!runs.has(length)) return '`'.repeat(length);
  return '`';
}

/** A surrogate pair is selected as a whole. */
function withoutHalves({ text, from, to }: Selected): Selected {
  const isInside = (place: number) =>
    /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(place - 1, place + 1));
  return {
    text,
    from: isInside(from) ? from - 1 : from,
    to: isInside(to) ? to + (from === to ? -1 : 1) : to,
  };
}

/** The same without spaces and empty lines at the ends. */
function withoutSpace({ text, from, to }: Selected): Selected {
  const chosen = text.slice(from, to);
  const start = from + chosen.length - chosen.trimStart().length;
  return { text, from: start, to: start + chosen.trim().length };
}

function hasLines({ text, from, to }: Selected): boolean {
  return text.slice(from, to).trim().includes('\n');
}

function wordAround({ text, from, to }: Selected): string {
  if (from < to) return text.slice(from, to).trim();
  return (/\S*$/.exec(text.slice(0, from))?.[0] ?? '') + (/^\S*/.exec(text.slice(to))?.[0] ?? '');
}

/** The selection of the same part after edits before it. */
function after({ from, to }: Selected, edits: readonly Edit[]): Formatting {
  const moved = (place: number, isEnd: boolean) =>
    edits.reduce((sum, edit) => {
      if (edit.from > place || (edit.from === place && isEnd && edit.to === edit.from && from < to))
        return sum;
      return sum + edit.put.length - (Math.min(edit.to, place) - edit.from);
    }, place);
  return { edits, from: moved(from, false), to: Math.max(moved(from, false), moved(to, true)) };
}

function inlineEdits(selected: Selected, format: InlineFormat): Formatting | null {
  const { text, from, to } = selected;
  const parts = partsOf(selected, format);
  const found = parts.map((part) => marksOf(text, part, format));
  if (parts.length === 0) return null;
  if (found.every((each) => each !== null)) return after(selected, found.flat());
  // Typing at the end of a marked text continues after the mark.
  const behind = markBehind(selected, format);
  if (behind !== null) return { edits: [], from: from + behind, to: from + behind };
  const edits = parts.flatMap((part, index): Edit[] => {
    if (found[index]) return [];
    const mark = format === 'code' ? fenceFor(text.slice(part.from, part.to)) : placeMark(text, part, format);
    return [
      { from: part.from, to: part.from, put: mark },
      { from: part.to, to: part.to, put: mark },
    ];
  });
  const put = edits.reduce((sum, edit) => sum + edit.put.length, 0);
  const first = parts[0]?.from ?? from;
  const last = parts.at(-1)?.to ?? to;
  const [opening, closing] = [edits[0]?.put.length ?? 0, edits.at(-1)?.put.length ?? 0];
  if (from === to && first < last) {
    // A part extended by stray marks is selected: at the caret alone, its marks would not be found again.
    const word = fullWords(text, { from, to });
    if (word.from === first && word.to === last) return { edits, from: from + opening, to: to + opening };
  }
  const [isFirst, isLast] = [found[0] === null, found.at(-1) === null];
  return { edits, from: first + (isFirst ? opening : 0), to: last + put - (isLast ? closing : 0) };
}

/**
 * The parts of a selection that can have marks: of each line, without its prefix of quotes and lists, without spaces
 * at the ends, and whole words, as the parser ignores marks inside of words.
 */
function partsOf({ text, from, to }: Selected, format: InlineFormat): Part[] {
  const parts: Part[] = [];
  let start = from;
  for (const line of text.slice(from, to).split('\n')) {
    const lineStart = text.slice(0, start).lastIndexOf('\n') + 1;
    const lead = /^(?:> |>(?=>))*(?: *(?:[-*+•]|\d{1,9}[.)]) {1,4})?/.exec(
      text.slice(lineStart, start + line.length),
    );
    const first = from === to ? from : Math.max(start, lineStart + (lead?.[0].length ?? 0));
    const words = text.slice(first, start + line.length);
    const part = {
      from: first + words.length - words.trimStart().length,
      to: first + words.trimEnd().length,
    };
    if (words.trim() !== '' || from === to)
      parts.push(format === 'code' && from < to ? part : fullWords(text, part));
    start += line.length + 1;
  }
  const [first, last] = [parts[0], parts.at(-1)];
  // Includes the marks of the first and last line, like those of the lines between.
  if (first && last && first !== last) {
    while (isMark(text[first.from - 1])) first.from -= 1;
    while (isMark(text[last.to])) last.to += 1;
  }
  return parts;
}

/**
 * The mark to put around a part: one that does not merge with a mark beside it, and after which the line's other
 * marks keep their meaning. The part is extended by adjacent marks if this is necessary.
 */
function placeMark(text: string, part: Part, format: Exclude<InlineFormat, 'code'>): string {
  const [first = ''] = marks[format];
  if (part.from === part.to || !runsInto(text, part, first)) return first;
  const wider = { ...part };
  while (isMark(text[wider.from - 1])) wider.from -= 1;
  while (isMark(text[wider.to])) wider.to += 1;
  for (const place of [part, wider]) {
    const mark = marks[format].find((each) => !runsInto(text, place, each) && keepsWords(text, place, each));
    if (!mark) continue;
    Object.assign(part, place);
    return mark;
  }
  return first;
}

function runsInto(text: string, { from, to }: Part, [character]: string): boolean {
  return [text[from - 1], text[from], text[to - 1], text[to]].includes(character);
}

/** Reports whether a line's text stays the same with a mark around a part of it: no other mark becomes visible. */
function keepsWords(text: string, { from, to }: Part, mark: string): boolean {
  const start = text.slice(0, from).lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', to);
  const [before, behind] = [text.slice(start, from), text.slice(to, end === -1 ? text.length : end)];
  const inside = text.slice(from, to);
  return (
    textWithoutMarks(before + mark + inside + mark + behind) === textWithoutMarks(before + inside + behind)
  );
}

function isMark(character: string | undefined): boolean {
  return character !== undefined && /[*_~`]/.test(character);
}

function fullWords(text: string, { from, to }: Part): Part {
  const isInWord = (place: number) => isWordCharacter(text[place - 1]) && isWordCharacter(text[place]);
  let [start, end] = [from, to];
  while (isInWord(start)) start -= 1;
  while (isInWord(end)) end += 1;
  return { from: start, to: end };
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** The edits that remove the marks of a part; null if it has none. */
function marksOf(text: string, part: Part, format: InlineFormat): Edit[] | null {
  const inside = text.slice(part.from, part.to);
  for (const layer of [...layersAround(text, part), ...layersInside(text, part)]) {
    const mark = marks[format].find((each) => hasMark(layer, each, inside));
    if (!mark) continue;
    const length = format === 'code' ? Math.min(layer.length, fenceLength(layer, inside)) : mark.length;
    return [
      { from: layer.from - length, to: layer.from, put: '' },
      { from: layer.to, to: layer.to + length, put: '' },
    ];
  }
  return null;
}

/** Three of one character are one plus two of them, and so on. */
function hasMark(layer: Layer, mark: string, inside: string): boolean {
  if (layer.mark !== mark[0]) return false;
  if (mark === '`') return layer.length >= fenceLength(layer, inside);
  return (layer.length & mark.length) !== 0;
}

/** Code selected with its backticks must include all of them. */
function fenceLength({ length, from, to }: Layer, inside: string): number {
  return to - from < inside.length ? length : fenceFor(inside).length;
}

function layersAround(text: string, { from, to }: Part): Layer[] {
  const layers: Layer[] = [];
  let [start, end] = [from, to];
  for (;;) {
    const mark = text[start - 1];
    if (mark === undefined || !isMark(mark) || text[end] !== mark) return layers;
    let length = 0;
    while (text[start - length - 1] === mark && text[end + length] === mark) length += 1;
    layers.push({ mark, length, from: start, to: end });
    start -= length;
    end += length;
  }
}

/** Marks selected with the text, if they surround all of it. */
function layersInside(text: string, { from, to }: Part): Layer[] {
  const layers: Layer[] = [];
  let [start, end] = [from, to];
  while (start < end && tokenize(text.slice(start, end)).length === 1) {
    const mark = text[start] ?? '';
    let length = 0;
    while (text[start + length] === mark && text[end - length - 1] === mark && start + length < end)
      length += 1;
    if (!isMark(mark) || length === 0 || 2 * length >= end - start) break;
    start += length;
    end -= length;
    layers.push({ mark, length, from: start, to: end });
    if (mark === '`') break;
  }
  return layers;
}

/** The length of a mark that closes right after the caret; null for none. */
function markBehind({ text, from, to }: Selected, format: InlineFormat): number | null {
  const before = text.slice(text.slice(0, from).lastIndexOf('\n') + 1, from);
  const mark = marks[format].find((each) => text.startsWith(each, to) && before.includes(each));
  if (from < to || !mark) return null;
  // A visible mark closes nothing.
  return textWithoutMarks(before + mark).endsWith(mark) ? null : mark.length;
}
