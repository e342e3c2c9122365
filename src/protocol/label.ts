/**
 * Names that people give themselves, groups and keys: on one line, and with nothing in them that nobody sees.
 */

/**
 * For a character class of a regular expression with the flag `u`: marks that turn the reading direction, characters
 * without width, and halves of characters.
 */
export const INVISIBLE =
  '\\p{Cs}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0';
/** Also for a character class: what breaks a line, and control characters. */
export const BREAKS = '\\p{Cc}\\p{Zl}\\p{Zp}';

const invisible = new RegExp(`[${INVISIBLE}]`, 'gu');
const breaks = new RegExp(`[${BREAKS}]+`, 'gu');
/** Joiners mean something behind emoji, marks, and letters of scripts that join. Elsewhere they make two names look like one. */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}])[\u200c\u200d]+/gu;

/** A text on one line, without what nobody sees but joiners. */
export function onOneLine(text: string): string {
  return text.replace(invisible, '').replace(breaks, ' ').trim();
}

/** The longest name that a relay takes, in characters. One that is longer is cut. */
export const LONGEST_LABEL = 80;

/** A name as it is sent and shown. Empty if nothing is left. */
export function toLabel(text: string): string {
  const line = onOneLine(text.replace(invisible, '').replace(joiners, ''));
  return line.length <= LONGEST_LABEL ? line : [...line].slice(0, LONGEST_LABEL).join('').trim();
}
