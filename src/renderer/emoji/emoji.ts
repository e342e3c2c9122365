/** The selectable emoji, with names and shortcodes, by category. */

/** The used fields of a dataset entry. */
interface Entry {
  group?: number | undefined;
  hexcode: string;
  label: string;
  order?: number | undefined;
  skins?: readonly { hexcode: string; unicode: string }[] | undefined;
  tags?: readonly string[] | undefined;
  unicode: string;
}

/** The categories, in order, by their numbers in the data. The second group of the data has parts of others. */
const GROUPS = {
  smileys: 0,
  people: 1,
  nature: 3,
  food: 4,
  travel: 5,
  activities: 6,
  objects: 7,
  symbols: 8,
  flags: 9,
};

export type EmojiCategory = keyof typeof GROUPS;
export const emojiCategories = Object.keys(GROUPS) as EmojiCategory[];

/** The modifiers of skin tones, from light to dark, as the data writes them. */
const TONES = ['1F3FB', '1F3FC', '1F3FD', '1F3FE', '1F3FF'] as const;
/** 0 is the emoji without a tone. */
export type SkinTone = 0 | 1 | 2 | 3 | 4 | 5;
export const skinTones: readonly SkinTone[] = [0, 1, 2, 3, 4, 5];

/** The limit of search results. */
const MAX_FOUND = 96;
const LONGEST_SEARCH = 100;

export interface Emoji {
  text: string;
  /** The accessible name. */
  name: string;
  /** Without colons, the most usual first. */
  shortcodes: readonly string[];
  category: EmojiCategory;
  /** In each skin tone; empty if there is only one. */
  toned: readonly string[];
  /** Search terms in lower case: shortcodes, words of the name, tags. */
  words: readonly string[];
}

/** The emoji of a dataset, in order. */
export function emojiFrom(
  data: readonly Entry[],
  shortcodes: Readonly<Record<string, string | string[]>>,
): Emoji[] {
  const categories = new Map(emojiCategories.map((name) => [GROUPS[name], name]));
  return data
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap(({ group, hexcode, label, unicode, tags = [], skins = [] }) => {
      const category = group === undefined ? undefined : categories.get(group);
      if (!category) return [];
      const codes = [shortcodes[hexcode] ?? []].flat();
      return {
        text: qualified(unicode),
        name: label,
        shortcodes: codes,
        category,
        toned: TONES.flatMap((tone) => skins.find((skin) => hasOnly(tone, skin.hexcode))?.unicode ?? []),
        words: [...codes, ...label.split(/[\s:,]+/), ...tags].map((word) => word.toLowerCase()),
      };
    });
}

/** Without redundant variation selectors: otherwise two reactions that look the same would count as two. */
function qualified(text: string): string {
  return text.replace(/(\p{Emoji_Presentation})\uFE0F/gu, '$1');
}

/** Reports whether each person of an emoji has this tone. */
function hasOnly(tone: string, hexcode: string): boolean {
  return TONES.every((each) => hexcode.includes(each) === (each === tone));
}

/** An emoji in a skin tone, if it has tones. */
export function inTone({ text, toned }: Emoji, tone: SkinTone): string {
  return (tone > 0 ? toned[tone - 1] : undefined) ?? text;
}

/** Emoji with a word for each search term, by prefix. Exact matches come first. */
export function findEmoji(all: readonly Emoji[], text: string, most = MAX_FOUND): Emoji[] {
  const wanted = text
    .slice(0, LONGEST_SEARCH)
    .toLowerCase()
    .split(/[\s:]+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return [];
  const whole = wanted.join(' ');
  const rank = ({ name, shortcodes, words }: Emoji) => {
    if (name.toLowerCase() === whole || shortcodes.includes(whole)) return 0;
    return wanted.every((each) => words.includes(each)) ? 1 : 2;
  };
  return all
    .filter(({ words }) => wanted.every((each) => words.some((word) => word.startsWith(each))))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, most);
}

/** Emoji whose shortcode has this prefix, with that shortcode, then those with another matching word. */
export function completeEmoji(
  all: readonly Emoji[],
  typed: string,
  most: number,
): { emoji: Emoji; code: string }[] {
  const found = all.flatMap((emoji) => {
    const code = emoji.shortcodes.find((each) => each.startsWith(typed));
    if (code !== undefined) return [{ emoji, code, rank: code === typed ? 0 : 1 }];
    const [usual] = emoji.shortcodes;
    const isMeant = usual !== undefined && emoji.words.some((word) => word.startsWith(typed));
    return isMeant ? [{ emoji, code: usual, rank: 2 }] : [];
  });
  return found.sort((a, b) => a.rank - b.rank).slice(0, most);
}
