/**
 * Text in the form that search compares: without letter case, and without the accents and vowel marks that people leave
 * out when they type.
 */

/**
 * Accents of Latin, Greek and Cyrillic, vowel marks of Hebrew and Arabic, tatweel, and invisible characters: hyphens,
 * joiners (except in emoji), fillers of Hangul, directions and variants. The marks of other scripts stay: vowels of Thai
 * and the voicing of Japanese make other words.
 */
const LEFT_OUT =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u00ad\u115f\u1160\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|\u200d(?<!(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d)/gu;
/** Single letters of Hangul, such as ㅋㅋㅠ: normalization would join them into syllables that are not in the text. */
const HANGUL_LETTERS = /([\u3131-\u3163\u3165-\u318e]+)/;
/** Two letters for one flag. */
const FLAG = /\p{Regional_Indicator}{2}/gu;
/** Before each flag, so that a search for Spain does not find the neighbours Germany and Sweden: DE SE contains ES. */
const BEFORE_FLAG = '\u0003';
/** Letters with a stroke and joined letters, which have no decomposition in Unicode; the collation of Unicode has these. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
};
const LETTER = /[ßæœøđðħł]/g;
/** Typographic apostrophes, which phones write; most keyboards have the plain one only. */
const APOSTROPHE = /[‘’ʼ′]/g;
/** A character with its marks, which normalization may join with it, or a flag. */
const CHARACTER = /\p{Regional_Indicator}{2}|.[\p{M}\uff9e\uff9f\u200d]*/gsu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** NUL is a space: it would end the text for SQLite. */
const SPACE = /[\s\0]/g;

/** A text as search compares it. Each line break or other space is one space; ASCII keeps its length. */
export function toSearchText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(SPACE, ' ');
  return text
    .toWellFormed()
    .split(HANGUL_LETTERS)
    .map((part, index) => (index % 2 === 1 ? part : folded(part)))
    .join('');
}

function folded(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(LEFT_OUT, '')
      // Upper case, then lower case: letters with one upper case are equal. The final sigma has no upper case of its own.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(APOSTROPHE, "'")
      .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
      .replace(LEFT_OUT, '')
      .normalize('NFC')
      .replace(FLAG, `${BEFORE_FLAG}$&`)
      .replace(SPACE, ' ')
  );
}

/** A part of a text, in UTF-16. */
export interface TextRange {
  from: number;
  to: number;
}

/**
 * Places of search terms in a text.
 * @param text in NFC
 * @param terms each in the form of {@link toSearchText}, not empty
 * @returns in order, joined where they meet, at most `most`
 */
export function placesOf(text: string, terms: readonly string[], most: number): TextRange[] {
  const { plain, placeOf } = withPlaces(text);
  const found: TextRange[] = [];
  for (const term of terms) {
    let at = plain.indexOf(term);
    for (let count = 0; at !== -1 && count < most; count++) {
      found.push({ from: placeOf(at).from, to: placeOf(at + term.length - 1).to });
      at = plain.indexOf(term, at + term.length);
    }
  }
  const places: TextRange[] = [];
  for (const { from, to } of found.sort((a, b) => a.from - b.from)) {
    const last = places.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else places.push({ from, to });
  }
  return places.slice(0, most);
}

/** A text as search compares it, and for each UTF-16 unit of it the character that it comes from. */
function withPlaces(text: string): { plain: string; placeOf: (unit: number) => TextRange } {
  if (ASCII.test(text)) {
    return { plain: toSearchText(text), placeOf: (unit) => ({ from: unit, to: unit + 1 }) };
  }
  const known = new Map<string, string>();
  const places: TextRange[] = [];
  let plain = '';
  let from = 0;
  for (const [character] of text.matchAll(CHARACTER)) {
    const piece = known.get(character) ?? toSearchText(character);
    known.set(character, piece);
    const place = { from, to: from + character.length };
    from = place.to;
    plain += piece;
    for (let unit = 0; unit < piece.length; unit++) places.push(place);
  }
  return { plain, placeOf: (unit) => places[unit] ?? { from: text.length, to: text.length } };
}
