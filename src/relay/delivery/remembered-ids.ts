/** Number of envelopes to an address whose ids are stored after the acknowledgement. */
import { RateLimit } from '../http/rate-limit.ts';
import type { Rate } from '../limits/counters.ts';

interface Envelope {
  to: string;
  isRemembered: boolean;
}

export class RememberedIds {
  readonly #limit: RateLimit;

  /**
   * @param rate may change
   * @param now a monotonic clock in milliseconds
   */
  constructor(rate: Rate, now: () => number) {
    this.#limit = new RateLimit('remembered', rate, now);
  }

  /**
   * Counts envelopes just before the store is asked to accept them, and sets `isRemembered` of those whose ids are to be stored.
   * {@link settle} must follow.
   */
  count(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) envelope.isRemembered = this.#limit.tryConsume(envelope.to) === 0;
  }

  /**
   * Counts only accepted envelopes: a stranger cannot use up the number with refused or repeated ones.
   * @param outcomes empty if the store accepted none, or failed
   */
  settle(envelopes: readonly Envelope[], outcomes: readonly { status: string }[]): void {
    for (const [index, { to, isRemembered }] of envelopes.entries()) {
      if (isRemembered && outcomes[index]?.status !== 'accepted') this.#limit.giveBack(to);
    }
  }
}
