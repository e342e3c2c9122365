/** Refusals of envelopes, in the form for their sender. */

import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AcceptOutcome, EnvelopeToAccept } from '../store/records.ts';

/** A refusal by the store. */
export function refusalOf(
  outcome: Exclude<AcceptOutcome, { acceptedAt: number }>,
  { to: address }: EnvelopeToAccept,
): ProblemError {
  if (outcome.status === 'unknown_device') {
    return new ProblemError('unknown_device', 'recipient_key', { address });
  }
  if (outcome.status === 'account_deleted') {
    return new ProblemError('not_found', 'recipient_deleted', { address });
  }
  if (outcome.status === 'no_devices') {
    return new ProblemError('not_found', 'recipient_devices', { address });
  }
  return new ProblemError('inbox_full', 'inbox_full', { address }, { retryAfter: 60 });
}

/** The same for one element of many. */
export function rejected(problem: ProblemError): SendResult {
  return {
    status: 'rejected',
    error: { code: problem.code, reason: problem.reason, detail: problem.message },
  };
}
