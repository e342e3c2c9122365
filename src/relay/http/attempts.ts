/**
 * Guesses at the passwords of groups: slowed down for the one who guesses, and for nobody else.
 *
 * Who guesses is an account, whatever credential it comes with and from whatever network. It waits after its own wrong
 * guesses only. Because accounts cost nothing, wrong guesses count for the network that they come from, too. Where it has
 * made too many, an account with a wrong guess of its own waits for the network; one without may have the right password.
 * There is no bound for a group as a whole: one who reached it would lock all others out.
 */

import { RecentMap } from '../../protocol/recent-map.ts';
import { ProblemError } from '../problem-error.ts';
import type { AccountKey } from '../store/records.ts';
import { isLoopback, RateLimit, wideNetworkOf } from './rate-limit.ts';

/** The wait after the first wrong guess of an account, in milliseconds. It doubles with each. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 3_600_000;
/** After this time without a guess an account's wrong ones are forgotten, in milliseconds. */
const FORGOTTEN_AFTER = 24 * 3_600_000;
/** Wrong guesses at one group from one network, a /24 or /48. */
const FROM_NETWORK = { burst: 100, perSecond: 1 / 30 };
/** Accounts and groups that are remembered, in pairs. */
const MOST_REMEMBERED = 50_000;

/** Who guesses. */
export interface Guesser {
  account: AccountKey;
  /** As `networkOf` gives it. */
  network: string;
}

/** A guess that was let through, and counts as wrong unless it is called right. */
export interface Guess {
  /** The password was right: the account has made no wrong guess. */
  right(): void;
}

interface Failures {
  count: number;
  /** When the next guess may come, in milliseconds of a monotonic clock. */
  next: number;
}

export class Attempts {
  readonly #now: () => number;
  readonly #byAccount = new RecentMap<string, Failures>(MOST_REMEMBERED);
  readonly #byNetwork: RateLimit;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#byNetwork = new RateLimit('guess', FROM_NETWORK, now);
  }

  /**
   * Counts a guess at a group.
   * @throws ProblemError rate_limited if it comes too early
   */
  begin(group: string, { account, network }: Guesser): Guess {
    const key = `${group} ${account}`;
    const own = this.#failuresOf(key);
    // Callers on the relay's own machine may stand for everybody: a proxy that is not trusted, say.
    const place = isLoopback(network) ? null : `${group} ${wideNetworkOf(network)}`;
    const ofNetwork = place === null || own.count === 0 ? 0 : this.#byNetwork.wait(place);
    const wait = Math.max(Math.ceil((own.next - this.#now()) / 1000), ofNetwork);
    if (wait > 0) {
      throw new ProblemError('rate_limited', 'wrong_passwords', {}, { retryAfter: wait });
    }
    own.next = this.#now() + Math.min(FIRST_DELAY * 2 ** own.count, LONGEST_DELAY);
    own.count++;
    const isTaken = place !== null && this.#byNetwork.tryTake(place) === 0;
    return {
      right: () => {
        this.#byAccount.delete(key);
        if (isTaken) this.#byNetwork.giveBack(place);
      },
    };
  }

  #failuresOf(key: string): Failures {
    const known = this.#byAccount.get(key);
    if (known && this.#now() - known.next < FORGOTTEN_AFTER) return known;
    const fresh = { count: 0, next: 0 };
    this.#byAccount.set(key, fresh);
    return fresh;
  }
}
