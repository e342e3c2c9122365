/**
 * Why an envelope was not taken, as its sender is told.
 */
import { ProblemError } from '../../protocol/problems.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import type { AcceptOutcome, EnvelopeToAccept } from '../store/records.ts';

/** What the store refused. */
export function refusalOf(
  outcome: Exclude<AcceptOutcome, { acceptedAt: number }>,
  envelope: EnvelopeToAccept,
): ProblemError {
  if (outcome.status === 'unknown_device') {
    return new ProblemError(
      'unknown_device',
      `recipientDeviceKey is not a current key of ${envelope.to}. Read its keys again and seal anew.`,
    );
  }
  if (outcome.status === 'no_devices') {
    return new ProblemError(
      'not_found',
      `${envelope.to} has no devices on this relay, so nothing can be delivered to it.`,
    );
  }
  return new ProblemError(
    'inbox_full',
    `Too much is waiting for a device of ${envelope.to}. Send again later.`,
    {
      retryAfter: 60,
    },
  );
}

/** The same for one element of many. */
export function rejected(problem: ProblemError): SendResult {
  return { status: 'rejected', error: { code: problem.code, detail: problem.message } };
}
