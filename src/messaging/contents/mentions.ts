/**
 * Which mentions of a text count: they stand in it one after the other, and begin and end between two characters. The others
 * are ignored.
 */
import type { Mention } from './fields.ts';
import { byteLength } from './text.ts';

/** A mention that counts, by places in the text as JavaScript counts them. */
export interface PlacedMention {
  readonly from: number;
  readonly to: number;
  readonly address: string;
}

/** The mentions that count, in order. */
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

/** The field that carries the mentions of a text; none where there are none. @param mentions that count */
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

/** Where each character begins: by bytes of UTF-8, as JavaScript counts. The end of the text is one more place. */
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

/** How many bytes a character takes in UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
