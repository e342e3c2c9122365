/**
 * `reaction`: all emoji of the sender on a message, in place of those before; none takes them back.
 */
import { z } from 'zod';
import { Text } from '../../../protocol/primitives.ts';
import { isEachOnce, Ref } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { applyTo } from '../targets.ts';

const MOST_EMOJI = 5;

/**
 * Senders put one grapheme into each. It is not demanded here: what a grapheme is grows with Unicode, and a reaction that one
 * version takes and another refuses would leave the two with different sets for ever. An app draws the first grapheme alone.
 */
export const ReactionContent = z.object({
  kind: z.literal('reaction'),
  target: Ref,
  emoji: z.array(Text(32)).max(MOST_EMOJI).refine(isEachOnce),
});
export type ReactionContent = z.infer<typeof ReactionContent>;

export const reaction = controlKind({
  name: 'reaction',
  schema: ReactionContent,
  apply: (content, by, store) =>
    applyTo(content, content.target, by, store, (target) =>
      target.setReaction(by.voice, content.emoji, by.version),
    ),
});

// Making one costs more than all reactions of a page.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What is drawn of an emoji: its first grapheme. */
export function drawnEmoji(emoji: string): string {
  const [first] = graphemes.segment(emoji);
  return first?.segment ?? '';
}
