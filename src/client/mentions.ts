/** Mentions by a program: by words of its text, as a person writes them. */
import { parseAddress } from '../base/address.ts';
import type { PlacedMention } from '../messaging/contents/mentions.ts';
import { Failure } from './errors.ts';

/** The most mentions in a text: recipients ignore further ones. */
const MOST = 50;

/**
 * Each place of a text with words that mention someone, in order. Longer words have priority, and words inside of a
 * longer word are ignored: `@ben` is not in `@benny`.
 * @param people addresses by the words that mention them
 * @throws Failure 'mention_absent' for words missing in the text; as {@link parseAddress} for an invalid address
 */
export function mentionsInText(text: string, people: Readonly<Record<string, string>>): PlacedMention[] {
  const found: PlacedMention[] = [];
  const longestFirst = Object.entries(people).sort(([one], [other]) => other.length - one.length);
  for (const [words, given] of longestFirst) {
    const address = parseAddress(given);
    const places = words === '' ? [] : placesOf(text, words);
    if (places.length === 0) throw new Failure('mention_absent', { words });
    for (const { from, to } of places) {
      if (found.every((each) => each.to <= from || each.from >= to)) found.push({ from, to, address });
    }
  }
  return found.sort((one, other) => one.from - other.from).slice(0, MOST);
}

function placesOf(text: string, words: string): { from: number; to: number }[] {
  const places: { from: number; to: number }[] = [];
  for (let from = text.indexOf(words); from !== -1; from = text.indexOf(words, from + words.length)) {
    const to = from + words.length;
    const isWhole = !/[\p{L}\p{N}_]$/u.test(text.slice(0, from)) && !/^[\p{L}\p{N}_]/u.test(text.slice(to));
    if (isWhole) places.push({ from, to });
  }
  return places;
}
