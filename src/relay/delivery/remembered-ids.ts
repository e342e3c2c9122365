/** Number of envelopes to an address whose ids are stored after the acknowledgement. */
import { RateLimit } from '../http/rate-limit.ts';
import type { Rate } from '../limits/counters.ts';

export class RememberedIds {
  readonly #limit: RateLimit;

  /**
   * @param rate may change
   * @param now a monotonic clock in milliseconds
   */
  constructor(rate: Rate, now: () => number) {
    this.#limit = new RateLimit('remembered', rate, now);
  }

  /** Counts an envelope to an address. @returns false if its id is not to be stored */
  count(address: string): boolean {
    return this.#limit.tryConsume(address) === 0;
  }

  /** Counts only accepted envelopes: a stranger cannot use up the number with refused or repeated ones. */
  settle(
    envelopes: readonly { to: string; isRemembered: boolean }[],
    outcomes: readonly { status: string }[],
  ): void {
    for (const [index, { to, isRemembered }] of envelopes.entries()) {
      if (isRemembered && outcomes[index]?.status !== 'accepted') this.#limit.giveBack(to);
    }
  }
}
