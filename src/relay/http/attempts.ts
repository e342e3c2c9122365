/**
 * Guesses at the passwords of groups: slowed down for the one who guesses, and for nobody else.
 *
 * Who guesses is an account, whatever credential it comes with and from whatever network. It waits after its own wrong
 * guesses only. Because accounts cost nothing, wrong guesses count for the network that they come from, too. Where it has
 * made too many, an account with a wrong guess of its own waits for the network; one without may have the right password.
 * There is no bound for a group as a whole: one who reached it would lock all others out.
 */
import type { Counters, Delays, Limit } from '../limits/counters.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AccountKey } from '../store/records.ts';
import { isLoopback, wideNetworkOf } from './network.ts';

/** Wrong guesses at one group from one network, a /24 or /48. */
const FROM_NETWORK = { burst: 100, perSecond: 1 / 30 };

/** Who guesses. */
export interface Guesser {
  account: AccountKey;
  /** As `networkOf` gives it. */
  network: string;
}

/** A guess that was let through, and counts as wrong unless it is called right. */
export interface Guess {
  /** The password was right: the account has made no wrong guess. */
  right(): Promise<void>;
}

export class Attempts {
  readonly #byAccount: Delays;
  readonly #byNetwork: Limit;

  /** @param name of what is guessed at */
  constructor(counters: Counters, name = 'password') {
    this.#byAccount = counters.delays(name);
    this.#byNetwork = counters.limit(`${name} of network`, FROM_NETWORK, 'networks');
  }

  /**
   * Counts a guess at a group.
   * @throws ProblemError rate_limited if it comes too early; StoreUnavailable
   */
  async begin(group: string, { account, network }: Guesser): Promise<Guess> {
    const key = `${group} ${account}`;
    // Callers on the relay's own machine may stand for everybody: a proxy that is not trusted, say.
    const place = isLoopback(network) ? null : `${group} ${wideNetworkOf(network)}`;
    const { wait, earlier } = await this.#byAccount.take(key);
    if (wait > 0) throw tooEarly(wait);
    const ofNetwork = place === null ? 0 : await this.#takeOfNetwork(place, key);
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

  /** A guess at which nobody has looked is none. @throws StoreUnavailable */
  async #takeOfNetwork(place: string, key: string): Promise<number> {
    try {
      return await this.#byNetwork.tryTake(place);
    } catch (error) {
      await this.#byAccount.giveBack(key);
      throw error;
    }
  }
}

function tooEarly(retryAfter: number): ProblemError {
  return new ProblemError('rate_limited', 'wrong_passwords', {}, { retryAfter });
}
