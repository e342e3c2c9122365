/** The text before the caret that can be completed: the start of a person's name, or of an emoji's shortcode. */
import { MAX_NAME } from '../../../base/names.ts';
import type { Written } from './written.ts';

export interface Trigger {
  kind: 'mention' | 'emoji';
  /** Position of its `@` or `:`. */
  from: number;
  /** The text typed after that. */
  text: string;
}

/** The limit of a message (src/messaging/contents/fields.ts). */
const MAX_MENTIONS = 50;
/** The limit of words in a typed name with spaces. */
const MAX_WORDS = 4;

/** Characters allowed before both: none, blank space, brackets and quotation marks, marks of formatting. */
const BEFORE = '^|[\\s\\p{Ps}\\p{Pi}"\'*_~>';
/** In these scripts, names have no space before them. */
const SPACELESS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const EMOJI = '\\p{Extended_Pictographic}\\u200d?[\\ufe0f\\p{Emoji_Modifier}]*';

const name = new RegExp(`(?:${BEFORE}${SPACELESS}])@((?!\\s)[^@\\n]*)$`, 'u');
const shortcode = new RegExp(`(?:${BEFORE}${SPACELESS}]|${EMOJI}):([a-z\\d+-][\\w+-]+)$`, 'iu');
const closed = new RegExp(`(?:${BEFORE}${SPACELESS}]|${EMOJI}):([a-z\\d+-][\\w+-]*):$`, 'iu');

/** @returns null if there is nothing to complete */
export function triggerAt({ text, mentions }: Written, caret: number): Trigger | null {
  // Inside a word, it is not being typed.
  if (/^[\p{L}\p{N}]/u.test(text.slice(caret))) return null;
  const before = lineBefore(text, caret);
  const found = (kind: Trigger['kind'], typed: string): Trigger | null => {
    const from = caret - typed.length - 1;
    const isMentioned = mentions.some((each) => each.from <= from && from < each.to);
    return typed.length > MAX_NAME || isMentioned || isInCode(text, from)
      ? null
      : { kind, from, text: typed };
  };
  const code = shortcode.exec(before)?.[1];
  if (code !== undefined) return found('emoji', code.toLowerCase());
  const typed = name.exec(before)?.[1];
  if (typed === undefined || /\s$/u.test(typed) || typed.split(/\s+/u).length > MAX_WORDS) return null;
  return mentions.length < MAX_MENTIONS ? found('mention', typed) : null;
}

/** A complete shortcode, including both colons, that ends at the caret. */
export function shortcodeBefore(text: string, caret: number): { from: number; code: string } | null {
  const code = closed.exec(lineBefore(text, caret))?.[1];
  if (code === undefined) return null;
  const from = caret - code.length - 2;
  return isInCode(text, from) ? null : { from, code: code.toLowerCase() };
}

/** The relevant part of the line before the caret. */
function lineBefore(text: string, caret: number): string {
  const part = text.slice(Math.max(0, caret - MAX_NAME - 8), caret);
  return part.slice(part.lastIndexOf('\n') + 1);
}

/** Reports whether code is open at a position. */
function isInCode(text: string, place: number): boolean {
  const parts = text.slice(0, place).split('```');
  if (parts.length % 2 === 0) return true;
  const line = (parts.at(-1) ?? '').split('\n').at(-1) ?? '';
  return line.split('`').length % 2 === 0;
}
