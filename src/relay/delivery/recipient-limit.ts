/**
 * How fast one address can be written to, by everybody together: so that many senders who are nobody cannot fill its
 * queues before its owner looks.
 */
import { ProblemError } from '../../protocol/problems.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Rate } from '../options.ts';

export class RecipientLimit {
  readonly #rate: RateLimit;

  constructor(rate: Rate) {
    this.#rate = new RateLimit('recipient', rate);
  }

  /**
   * Counts one envelope to an address.
   * @throws ProblemError rate_limited
   */
  take(address: string): void {
    const retryAfter = this.#rate.tryTake(address);
    if (retryAfter === 0) return;
    throw new ProblemError('rate_limited', `Too much is sent to ${address} just now. Send again later.`, {
      retryAfter,
    });
  }
}
