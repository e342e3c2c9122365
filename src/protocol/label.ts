/**
 * Names that people give themselves, groups and keys: on one line, and with nothing in them that nobody sees.
 */

/**
 * For a character class of a regular expression: marks that turn the reading direction, and characters without width.
 * Without properties of Unicode, because it stands in patterns of JSON Schema, which not every validator reads as Unicode.
 */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0';
/** The same for control characters. */
export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** Control characters, and what breaks a line. */
export const BREAKS = `${CONTROL}\\u2028\\u2029`;
/** Halves of characters, for a class with the flag `u`. */
export const HALVES = '\\p{Cs}';

const invisible = new RegExp(`[${HALVES}${INVISIBLE}]`, 'gu');
const breaks = new RegExp(`[${BREAKS}]+`, 'gu');
/** Joiners mean something behind emoji, marks, and letters of scripts that join. Elsewhere they make two names look like one. */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}])[\u200c\u200d]+/gu;

/** A text on one line, without what nobody sees but joiners. */
export function onOneLine(text: string): string {
  return text.replace(invisible, '').replace(breaks, ' ').trim();
}

/** The longest name, of whomever and whatever: in characters, that is code points of Unicode. At most four bytes each. */
export const MOST_NAME = 80;
/** The longest description of a group, in the same characters. */
export const MOST_DESCRIPTION = 1_000;

/** How many characters a text has, that is code points of Unicode: the same in every language and version. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Reports whether a text has more than `most` characters. Looks at no more of a long one than it has to. */
export function hasMoreCharacters(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || countCharacters(text) > most);
}

/** A name on one line, and with nothing in it that nobody sees, as long as it is. */
export function toWholeLabel(text: string): string {
  return onOneLine(text.replace(invisible, '').replace(joiners, ''));
}

/** A name as it is shown. Empty if nothing is left; cut if it is too long. */
export function toLabel(text: string): string {
  const line = toWholeLabel(text);
  return hasMoreCharacters(line, MOST_NAME) ? [...line].slice(0, MOST_NAME).join('').trim() : line;
}
