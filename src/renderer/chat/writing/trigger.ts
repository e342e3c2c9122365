/**
 * What stands before the caret and can be completed: the beginning of a person's name, or of a shortcode of an emoji.
 */
import { MOST_NAME } from '../../../base/names.ts';
import type { Written } from './written.ts';

export interface Trigger {
  kind: 'mention' | 'emoji';
  /** Where its `@` or `:` stands. */
  from: number;
  /** What is typed behind that. */
  text: string;
}

/** A message has no more (src/messaging/contents/fields.ts). */
const MOST_MENTIONS = 50;
/** A name that is typed with spaces has so many words. */
const MOST_WORDS = 4;

/** What may stand before both: nothing, blank space, brackets and quotation marks, marks of formatting. */
const BEFORE = '^|[\\s\\p{Ps}\\p{Pi}"\'*_~>';
/** In these scripts, nobody writes a space before a name. */
const SPACELESS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const EMOJI = '\\p{Extended_Pictographic}\\u200d?[\\ufe0f\\p{Emoji_Modifier}]*';

const name = new RegExp(`(?:${BEFORE}${SPACELESS}])@((?!\\s)[^@\\n]*)$`, 'u');
const shortcode = new RegExp(`(?:${BEFORE}${SPACELESS}]|${EMOJI}):([a-z\\d+-][\\w+-]+)$`, 'iu');
const closed = new RegExp(`(?:${BEFORE}${SPACELESS}]|${EMOJI}):([a-z\\d+-][\\w+-]*):$`, 'iu');

/** @returns null where nothing is to be completed */
export function triggerAt({ text, mentions }: Written, caret: number): Trigger | null {
  // Inside a word, it is none that is being written.
  if (/^[\p{L}\p{N}]/u.test(text.slice(caret))) return null;
  const before = lineBefore(text, caret);
  const found = (kind: Trigger['kind'], typed: string): Trigger | null => {
    const from = caret - typed.length - 1;
    const isMentioned = mentions.some((each) => each.from <= from && from < each.to);
    return typed.length > MOST_NAME || isMentioned || isInCode(text, from)
      ? null
      : { kind, from, text: typed };
  };
  const code = shortcode.exec(before)?.[1];
  if (code !== undefined) return found('emoji', code.toLowerCase());
  const typed = name.exec(before)?.[1];
  if (typed === undefined || /\s$/u.test(typed) || typed.split(/\s+/u).length > MOST_WORDS) return null;
  return mentions.length < MOST_MENTIONS ? found('mention', typed) : null;
}

/** A whole shortcode, both colons included, that ends at the caret. */
export function shortcodeBefore(text: string, caret: number): { from: number; code: string } | null {
  const code = closed.exec(lineBefore(text, caret))?.[1];
  if (code === undefined) return null;
  const from = caret - code.length - 2;
  return isInCode(text, from) ? null : { from, code: code.toLowerCase() };
}

/** As much of the line before the caret as can matter. */
function lineBefore(text: string, caret: number): string {
  const part = text.slice(Math.max(0, caret - MOST_NAME - 8), caret);
  return part.slice(part.lastIndexOf('\n') + 1);
}

/** Whether marks of code are open at a place. */
function isInCode(text: string, place: number): boolean {
  const parts = text.slice(0, place).split('```');
  if (parts.length % 2 === 0) return true;
  const line = (parts.at(-1) ?? '').split('\n').at(-1) ?? '';
  return line.split('`').length % 2 === 0;
}
