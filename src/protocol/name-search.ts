/**
 * Search in names, ignoring accents and case: in names of groups for any text, in display names of people for the first
 * letters of any word.
 *
 * A relay stores a display name from each of its words on, as in "ann van dyk", "van dyk", "dyk", so that one index finds
 * them all.
 */

/** The greatest number of words from which on a name is stored, and of characters of each text. */
const MAX_PARTS = 8;
const LONGEST_PART = 80;
/** Characters of a group's name that are searched. Its 80 may be three times as many here, letters of Hangul for example. */
const LONGEST_GROUP_NAME = 240;

/** A text without accents, capitals and invisible characters: the letters that a search compares. */
export function foldLetters(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      // Upper case, then lower case: ß then equals SS, and all forms of sigma are equal.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(/\p{M}/gu, '')
  );
}

/** The name of a group, or a text in it, as a relay stores and searches it. */
export function toGroupSearch(text: string): string {
  return [...foldLetters(text)].slice(0, LONGEST_GROUP_NAME).join('');
}

/** A text with one space between its words, without accents, capitals, punctuation and invisible characters. */
export function toNameText(text: string): string {
  const words = foldLetters(text)
    .replace(/[\p{Z}\p{P}\p{C}]+/gu, ' ')
    .trim();
  return [...words].slice(0, LONGEST_PART).join('').trim();
}

/** A name from each of its first words on. */
export function namePartsOf(name: string): string[] {
  const words = toNameText(name).split(' ');
  const parts = words.slice(0, MAX_PARTS).map((_, index) => words.slice(index).join(' '));
  return [...new Set(parts)].filter((part) => part !== '');
}

/** The first part of a name with this prefix, in the form of {@link toNameText}. */
export function partThatFits(name: string, text: string): string | undefined {
  return namePartsOf(name).find((part) => part.startsWith(text));
}
