/**
 * Finding people by their display names: by the first letters of any word of it, whatever the accents and capitals.
 *
 * A relay keeps each name from each of its words on, as in "ann van dyk", "van dyk", "dyk", so that one index finds them all.
 */

/** Words of a name from which on it is kept, and characters of each text. */
const MOST_PARTS = 8;
const LONGEST_PART = 80;

/** A text with one space between its words, and without accents, capitals, punctuation and what nobody sees. */
export function toNameText(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    // Up and down: so ß meets SS, and all forms of sigma one another.
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
  const parts = words.slice(0, MOST_PARTS).map((_, index) => words.slice(index).join(' '));
  return [...new Set(parts)].filter((part) => part !== '');
}

/** The first part of a name that begins with a text of {@link toNameText}. */
export function partThatFits(name: string, text: string): string | undefined {
  return namePartsOf(name).find((part) => part.startsWith(text));
}
