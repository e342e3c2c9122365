/**
 * Limits on guesses at group passwords. Only the guessing account has to wait.
 *
 * Guesses count per account, with any credential and from any network. An account waits after its own wrong guesses
 * only. Because accounts cost nothing, wrong guesses also count for their network. When a network has made too
 * many, its accounts with a wrong guess of their own wait for the network. Accounts without one may have the right
 * password. A group as a whole has no limit: an attacker who reached it would lock all others out.
 */
import type { Counters, Delays, Limit } from '../limits/counters.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';
import { isLoopback, wideNetworkOf } from './network.ts';

/** Wrong guesses at one group from one network, a /24 or /48. */
const FROM_NETWORK = { burst: 100, perSecond: 1 / 30 };

/** The guessing account. */
export interface Guesser {
  account: AccountKey;
  /** The address as `networkOf` returns it. */
  network: string;
}

/** An admitted guess. Counts as wrong unless reported as right. */
export interface Guess {
  /** Reports the right password: the account has made no wrong guess. */
  right(): Promise<void>;
}

export class Attempts {
  readonly #byAccount: Delays;
  readonly #byNetwork: Limit;

  /** @param name of the kind of secret, for the message */
  constructor(counters: Counters, name = 'password') {
    this.#byAccount = counters.delays(name);
    this.#byNetwork = counters.limit(`${name} of network`, FROM_NETWORK, 'networks');
  }

  /**
   * Counts a guess at a group.
   * @throws ProblemError rate_limited if it arrives too early; StoreUnavailable
   */
  async begin(group: string, { account, network }: Guesser): Promise<Guess> {
    const key = `${group} ${account}`;
    // Callers on the relay's own machine may share one address, for example behind a proxy that is not trusted.
    const place = isLoopback(network) ? null : `${group} ${wideNetworkOf(network)}`;
    const { wait, earlier } = await this.#byAccount.count(key);
    if (wait > 0) throw tooEarly(wait);
    const ofNetwork = place === null ? 0 : await this.#consumeOfNetwork(place, key);
    if (ofNetwork > 0 && earlier > 0) {
      await this.#byAccount.giveBack(key);
      throw tooEarly(ofNetwork);
    }
    return {
      right: async () => {
        if (place !== null && ofNetwork === 0) this.#byNetwork.giveBack(place);
        await this.#byAccount.forget(key);
      },
    };
  }

  /** Withdraws a guess that was never checked. @throws StoreUnavailable */
  async #consumeOfNetwork(place: string, key: string): Promise<number> {
    try {
      return await this.#byNetwork.tryConsume(place);
    } catch (error) {
      await this.#byAccount.giveBack(key);
      throw error;
    }
  }
}

function tooEarly(retryAfter: number): ProblemError {
  return new ProblemError('rate_limited', 'wrong_passwords', {}, { retryAfter });
}
