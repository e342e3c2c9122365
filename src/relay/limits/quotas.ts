/**
 * Quotas: how many of each an account, or a group, may have at a time.
 */
import type { Quotas } from '../../protocol/limits.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Those that refuse one more. Of sessions the oldest ends instead. */
type RefusedAt = Exclude<keyof Quotas, 'sessions'>;

/** @param name the quota that was reached */
export function quotaReached(name: RefusedAt, quotas: Quotas): ProblemError {
  return new ProblemError('quota_reached', name, { most: quotas[name] });
}
