/** `poll`: a question with options, and `vote`, a person's choice. */
import { z } from 'zod';
import { isEachOnce, Ref } from '../../../../src/messaging/contents/fields.ts';
import { Text, WireTime } from '../../../../src/protocol/primitives.ts';

const MAX_OPTIONS = 12;

export const PollContent = z.looseObject({
  kind: z.literal('poll'),
  question: Text(300),
  options: z.array(Text(100)).min(2).max(MAX_OPTIONS),
  /** True if several options can be chosen. */
  multiple: z.boolean(),
  /** Later votes, by their `sentAt`, are ignored. */
  closes: WireTime.optional(),
});
export type PollContent = z.infer<typeof PollContent>;

/**
 * All options that the sender chooses, replacing their earlier choice. An empty choice withdraws the vote.
 */
export const VoteContent = z.looseObject({
  kind: z.literal('vote'),
  target: Ref,
  /** Numbers of the options, from 0. */
  options: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(MAX_OPTIONS - 1),
    )
    .max(MAX_OPTIONS)
    .refine(isEachOnce),
});
export type VoteContent = z.infer<typeof VoteContent>;

/** The options of a vote; null if it does not count: too late, too many, or an unknown option. */
export function countedVote(
  poll: PollContent,
  vote: { options: readonly number[]; sentAt: string },
): readonly number[] | null {
  const { options, sentAt } = vote;
  if (poll.closes !== undefined && sentAt > poll.closes) return null;
  if (!poll.multiple && options.length > 1) return null;
  return options.every((option) => option < poll.options.length) ? options : null;
}
