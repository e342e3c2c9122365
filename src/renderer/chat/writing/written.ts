/** A text in the composer, with its mentions. */
import type { Message, WrittenMention } from '../../../bridge/shapes/message.ts';

/** Mentions are in order, by JavaScript string positions. */
export interface Written {
  readonly text: string;
  readonly mentions: readonly WrittenMention[];
}

export const nothingWritten: Written = { text: '', mentions: [] };

export function writtenIn({ text, mentions }: Pick<Message, 'text' | 'mentions'>): Written {
  return { text, mentions: mentions.map(({ from, to, person: { address } }) => ({ from, to, address })) };
}

export function isSame(one: Written, other: Written): boolean {
  return one.text === other.text && JSON.stringify(one.mentions) === JSON.stringify(other.mentions);
}

/**
 * The content after one edit: mentions before it stay, those after it move, and a changed one is removed.
 * @param caret end of the edit: the text after it is unchanged
 */
export function afterEdit(before: Written, text: string, caret: number): Written {
  if (text === before.text) return before;
  const shorter = Math.min(before.text.length, text.length);
  const behind = text.length - caret;
  const isCaretRight = behind <= shorter && before.text.endsWith(text.slice(caret));
  const from = commonStart(before.text, text, isCaretRight ? shorter - behind : shorter);
  const tail = isCaretRight ? behind : commonEnd(before.text, text, shorter - from);
  const to = before.text.length - tail;
  const moved = text.length - before.text.length;
  const mentions = before.mentions.flatMap((each) => {
    if (each.to <= from) return [each];
    return each.from >= to ? [{ ...each, from: each.from + moved, to: each.to + moved }] : [];
  });
  return { text, mentions };
}

function commonStart(one: string, other: string, most: number): number {
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

function commonEnd(one: string, other: string, most: number): number {
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

/** With one more mention, replacing those that it overlaps. */
export function withMention({ text, mentions }: Written, added: WrittenMention): Written {
  const others = mentions.filter(({ from, to }) => to <= added.from || from >= added.to);
  return { text, mentions: [...others, added].sort((a, b) => a.from - b.from) };
}

/** Without blank space at the ends. */
export function trimmed({ text, mentions }: Written): Written {
  const body = text.trim();
  const lead = text.length - text.trimStart().length;
  return {
    text: body,
    mentions: mentions
      .map((each) => ({ ...each, from: each.from - lead, to: each.to - lead }))
      .filter(({ from, to }) => from >= 0 && to <= body.length),
  };
}

/** One text above another. */
export function joinedTexts(first: Written, second: Written): Written {
  if (first.text === '') return second;
  if (second.text === '') return first;
  const before = `${first.text}\n`;
  const moved = second.mentions.map((each) => ({
    ...each,
    from: each.from + before.length,
    to: each.to + before.length,
  }));
  return { text: before + second.text, mentions: [...first.mentions, ...moved] };
}
