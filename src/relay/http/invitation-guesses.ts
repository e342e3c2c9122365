/**
 * Limits on guesses at invitation codes, per network address. A code has 256 random bits, so this only saves the
 * relay work.
 */
import type { Counters } from '../limits/counters.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { isLoopback } from './network.ts';
import { NetworkLimit } from './network-limit.ts';

/** Wrong codes from one network address. */
const RATE = { burst: 20, perSecond: 1 / 60 };

export class InvitationGuesses {
  readonly #byNetwork: NetworkLimit;

  constructor(counters: Counters) {
    this.#byNetwork = new NetworkLimit(counters, 'invitation', RATE);
  }

  /**
   * Counts a guess.
   * @param network as `networkOf` returns it
   * @returns a function that withdraws the guess: the code was right, or the relay could not check it
   * @throws ProblemError rate_limited after too many; StoreUnavailable
   */
  async begin(network: string): Promise<() => void> {
    // Callers on the relay's own machine may share one address, for example behind a proxy that is not trusted.
    if (isLoopback(network)) return () => undefined;
    const retryAfter = await this.#byNetwork.tryConsume(network);
    if (retryAfter > 0) throw new ProblemError('rate_limited', 'wrong_invitations', {}, { retryAfter });
    return () => this.#byNetwork.giveBack(network);
  }
}
