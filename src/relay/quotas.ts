/**
 * Quotas: how many of each an account, or a group, may have at a time, and what is said when there are as many.
 */
import type { Quotas } from '../protocol/limits.ts';
import { ProblemError } from '../protocol/problems.ts';

/** Those that refuse one more. Of sessions the oldest ends instead. */
type RefusedAt = Exclude<keyof Quotas, 'sessions'>;

/** What a person does to have room again, after the sentence that names what there are too many of. */
const SENTENCES: Record<RefusedAt, (most: number) => string> = {
  devices: (most) => `An account has at most ${most} devices here. Remove one first.`,
  apiKeys: (most) => `You have ${most} API keys, as many as this relay allows. Revoke one first.`,
  groups: (most) => `You are in ${most} groups, as many as this relay allows. Leave one first.`,
  groupTokens: (most) => `Your groups have ${most} tokens, as many as this relay allows. Revoke one first.`,
  links: (most) => `${most} codes of yours are waiting. Cancel one, or wait until one has expired.`,
  groupMembers: (most) => `The group has ${most} members, as many as this relay allows.`,
  groupInvitations: (most) =>
    `${most} invitations into the group are waiting. Withdraw some that nobody has taken.`,
};

/** @param most the quota that was reached */
export function quotaReached(name: RefusedAt, quotas: Quotas): ProblemError {
  return new ProblemError('quota_reached', SENTENCES[name](quotas[name]));
}
