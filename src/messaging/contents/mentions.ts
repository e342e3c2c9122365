/**
 * Valid mentions of a text: in order, without overlaps, and each between two characters. Others are ignored.
 */
import type { Mention } from './fields.ts';
import { byteLength } from './text.ts';

/** A valid mention, by places in JavaScript's count. */
export interface PlacedMention {
  readonly from: number;
  readonly to: number;
  readonly address: string;
}

/** The valid mentions, in order. */
export function mentionsIn(text: string, mentions: readonly Mention[] = []): PlacedMention[] {
  if (mentions.length === 0) return [];
  const places = placesOf(text);
  const found: PlacedMention[] = [];
  for (const { at, length, address } of mentions) {
    const [from, to] = [places.get(at), places.get(at + length)];
    if (from === undefined || to === undefined || from < (found.at(-1)?.to ?? 0)) continue;
    found.push({ from, to, address });
  }
  return found;
}

/**
 * The field for the mentions of a text; empty without any.
 * @param mentions valid ones
 */
export function mentionsField(
  text: string,
  mentions: readonly PlacedMention[],
): { mentions?: readonly Mention[] } {
  if (mentions.length === 0) return {};
  return {
    mentions: mentions.map(({ from, to, address }) => ({
      at: byteLength(text.slice(0, from)),
      length: byteLength(text.slice(from, to)),
      address,
    })),
  };
}

/** Start of each character: from bytes of UTF-8 to JavaScript's count. Includes the end of the text. */
function placesOf(text: string): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let [bytes, units] = [0, 0];
  for (const character of text) {
    places.set(bytes, units);
    bytes += bytesOf(character.codePointAt(0) ?? 0);
    units += character.length;
  }
  return places.set(bytes, units);
}

/** Length of a character in bytes of UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
