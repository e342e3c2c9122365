/**
 * Search for people by display name: by the first letters of any word, ignoring accents and case.
 *
 * A relay stores each name from each of its words on, as in "ann van dyk", "van dyk", "dyk", so that one index finds
 * them all.
 */

/** The greatest number of words from which on a name is stored, and of characters of each text. */
const MAX_PARTS = 8;
const LONGEST_PART = 80;

/** A text with one space between its words, without accents, capitals, punctuation and invisible characters. */
export function toNameText(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    // Upper case, then lower case: ß then equals SS, and all forms of sigma are equal.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{M}/gu, '');
  const words = bare.replace(/[\p{Z}\p{P}\p{C}]+/gu, ' ').trim();
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
