/** Prefixes of whole lines: quotes, lists and blocks of code. */
import type { Edit, Selected } from './format-shapes.ts';

export type LineFormat = 'quote' | 'list';

interface Line {
  from: number;
  to: number;
  text: string;
}

const patterns: Readonly<Record<LineFormat, RegExp>> = {
  quote: /^()(>(?: |(?=>|$)))/,
  list: /^( *)((?:[-*+•]|\d{1,9}[.)]) {1,4})/,
};
const put: Readonly<Record<LineFormat, string>> = { quote: '> ', list: '- ' };
const FENCE = '```';

/** Adds the prefix to each selected line, or removes it if all lines have it. */
export function lineEdits(selected: Selected, format: LineFormat): Edit[] {
  const lines = markedLines(selected, format);
  const found = lines.map((line) => patterns[format].exec(line.text));
  if (found.every((each) => each !== null)) {
    return lines.map((line, index) => {
      const [, indent = '', mark = ''] = found[index] ?? [];
      const from = line.from + indent.length;
      return { from, to: from + mark.length, put: '' };
    });
  }
  return lines.flatMap((line, index): Edit[] => {
    // A quote can be quoted again; an item stays one.
    if (format === 'list' && found[index]) return [];
    const indent = format === 'list' ? line.text.length - line.text.trimStart().length : 0;
    const from = line.from + indent;
    return [{ from, to: from, put: put[format] }];
  });
}

export function hasLineMarks(selected: Selected, format: LineFormat): boolean {
  return markedLines(selected, format).every(({ text }) => patterns[format].test(text));
}

/** Makes the selected lines a block of code, or removes its fences. */
export function fenceEdits(selected: Selected): Edit[] {
  const { text } = selected;
  const [from, to] = fullLines(selected);
  const inside = fenceInside(text.slice(from, to));
  if (inside) {
    return [
      { from, to: from + inside.opening, put: '' },
      { from: to - inside.closing, to, put: '' },
    ];
  }
  const opening = fenceBefore(text, from);
  if (opening > 0 && fenceAfter(text, to)) {
    return [
      { from: from - opening, to: from, put: '' },
      { from: to, to: to + FENCE.length + 1, put: '' },
    ];
  }
  return [
    { from, to: from, put: `${FENCE}\n` },
    { from: to, to, put: `\n${FENCE}` },
  ];
}

export function hasFence(selected: Selected): boolean {
  const [from, to] = fullLines(selected);
  const { text } = selected;
  return fenceInside(text.slice(from, to)) !== null || (fenceBefore(text, from) > 0 && fenceAfter(text, to));
}

function fenceInside(block: string): { opening: number; closing: number } | null {
  const found = /^(```[\w+#.-]{0,32}\n)[\s\S]*\n```$/.exec(block);
  return found?.[1] === undefined ? null : { opening: found[1].length, closing: FENCE.length + 1 };
}

/** The length of the fence line right before a position; 0 for none. */
function fenceBefore(text: string, place: number): number {
  return /(?:^|\n)(```[\w+#.-]{0,32}\n)$/.exec(text.slice(0, place))?.[1]?.length ?? 0;
}

function fenceAfter(text: string, place: number): boolean {
  return /^\n```(?:\n|$)/.test(text.slice(place));
}

function fullLines({ text, from, to }: Selected): [number, number] {
  const end = from < to && text[to - 1] === '\n' ? to - 1 : to;
  const next = text.indexOf('\n', end);
  return [text.slice(0, from).lastIndexOf('\n') + 1, next === -1 ? text.length : next];
}

/** A quote includes empty lines; a list does not, unless there are no others. */
function markedLines(selected: Selected, format: LineFormat): Line[] {
  const [start, end] = fullLines(selected);
  const lines: Line[] = [];
  let from = start;
  for (const text of selected.text.slice(start, end).split('\n')) {
    lines.push({ from, to: from + text.length, text });
    from += text.length + 1;
  }
  const written = lines.filter(({ text }) => text.trim() !== '');
  return format === 'list' && written.length > 0 ? written : lines;
}
