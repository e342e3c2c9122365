/** Names that people choose for themselves, groups and keys: on one line, without invisible characters. */

/**
 * Marks that turn the reading direction, and characters without width, for a character class of a regular expression.
 * It avoids Unicode properties, because patterns of JSON Schema contain it, and not every validator reads those as
 * Unicode.
 */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0';
/** The same for control characters. */
export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** Control characters and line breaks. */
export const BREAKS = `${CONTROL}\\u2028\\u2029`;
/** Lone surrogates, for a class with the flag `u`. */
export const HALVES = '\\p{Cs}';

const invisible = new RegExp(`[${HALVES}${INVISIBLE}]`, 'gu');
const breaks = new RegExp(`[${BREAKS}]+`, 'gu');
/**
 * Joiners have a meaning after emoji, marks, and letters of scripts that join. Elsewhere they make two names look
 * alike.
 */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}])[\u200c\u200d]+/gu;

/** A text on one line, without invisible characters except joiners. */
export function onOneLine(text: string): string {
  return text.replace(invisible, '').replace(breaks, ' ').trim();
}

/** The longest name of anything: in characters, that is code points of Unicode. At most four bytes each. */
export const MAX_NAME = 80;
/** The longest description of a group, in the same characters. */
export const MAX_DESCRIPTION = 1_000;

/** The number of characters in a text, that is code points of Unicode: the same in every language and version. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Reports whether a text has more than `most` characters. Stops counting there. */
export function hasMoreCharacters(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || countCharacters(text) > most);
}

/** A name on one line, without invisible characters, in full length. */
export function toFullLabel(text: string): string {
  return onOneLine(text.replace(invisible, '').replace(joiners, ''));
}

/** A name for display. Empty if nothing is left; cut if it is too long. */
export function toLabel(text: string): string {
  const line = toFullLabel(text);
  return hasMoreCharacters(line, MAX_NAME) ? [...line].slice(0, MAX_NAME).join('').trim() : line;
}
