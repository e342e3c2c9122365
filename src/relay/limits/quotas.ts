/** Quotas: the most of each that an account, or a group, may have at a time. */
import type { Quotas } from '../../protocol/limits.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Quotas that refuse one more. For sessions the oldest one ends instead. */
type RefusedAt = Exclude<keyof Quotas, 'sessions'>;

/** @param name the reached quota */
export function quotaReached(name: RefusedAt, quotas: Quotas): ProblemError {
  return new ProblemError('quota_reached', name, { most: quotas[name] });
}
