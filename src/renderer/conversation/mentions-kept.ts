import type { PlacedMention } from '../../bridge/shapes.ts';

interface Mention {
  at: number;
  length: number;
  address: string;
}

/** The mentions of a message whose words still stand in its edited text, in their order, by bytes of UTF-8. */
export function mentionsKept(before: string, mentions: readonly PlacedMention[], text: string): Mention[] {
  const encoder = new TextEncoder();
  const kept: Mention[] = [];
  let end = 0;
  for (const { from, to, person } of mentions) {
    const words = before.slice(from, to);
    const at = text.indexOf(words, end);
    if (at === -1) continue;
    end = at + words.length;
    kept.push({
      at: encoder.encode(text.slice(0, at)).length,
      length: encoder.encode(words).length,
      address: person.address,
    });
  }
  return kept;
}
