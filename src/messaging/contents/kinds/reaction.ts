/**
 * `reaction`: all emoji of the sender on a message. Replaces the previous ones; an empty list removes them.
 */
import { z } from 'zod';
import { Text } from '../../../protocol/primitives.ts';
import { isEachOnce, Ref } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { applyTo } from '../targets.ts';

const MAX_EMOJI = 5;

/**
 * Senders use one grapheme per emoji. Recipients do not check it: graphemes grow with Unicode, and two
 * versions that disagree would have different sets forever. An app draws only the first grapheme.
 */
export const ReactionContent = z.object({
  kind: z.literal('reaction'),
  target: Ref,
  emoji: z.array(Text(32)).max(MAX_EMOJI).refine(isEachOnce),
});
export type ReactionContent = z.infer<typeof ReactionContent>;

export const reaction = controlKind({
  name: 'reaction',
  schema: ReactionContent,
  apply: (content, by, store) =>
    applyTo(content, content.target, by, store, (target) =>
      target.setReaction(by.authorship, content.emoji, by.version),
    ),
});

// Constructing one costs more than processing all reactions of a page.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The drawn part of an emoji: its first grapheme. */
export function drawnEmoji(emoji: string): string {
  const [first] = graphemes.segment(emoji);
  return first?.segment ?? '';
}
