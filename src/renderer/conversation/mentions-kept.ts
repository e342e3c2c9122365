import type { PlacedMention, WrittenMention } from '../../bridge/shapes.ts';

/** The mentions of a message whose words still stand in its edited text, in their order. */
export function mentionsKept(
  before: string,
  mentions: readonly PlacedMention[],
  text: string,
): WrittenMention[] {
  const kept: WrittenMention[] = [];
  let end = 0;
  for (const { from, to, person } of mentions) {
    const words = before.slice(from, to);
    const at = text.indexOf(words, end);
    if (at === -1) continue;
    end = at + words.length;
    kept.push({ from: at, to: end, address: person.address });
  }
  return kept;
}
