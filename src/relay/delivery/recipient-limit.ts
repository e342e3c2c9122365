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

  /** Counts one envelope to an address. @returns 0, or the seconds to wait if it is one too many */
  tryTake(address: string): number {
    return this.#rate.tryTake(address);
  }

  /**
   * The same.
   * @throws ProblemError rate_limited
   */
  take(address: string): void {
    const wait = this.tryTake(address);
    if (wait > 0) throw tooMuchFor(address, wait);
  }
}

/** @param wait in seconds */
export function tooMuchFor(address: string, wait: number): ProblemError {
  return new ProblemError('rate_limited', `Too much is sent to ${address} just now. Send again later.`, {
    retryAfter: wait,
  });
}
