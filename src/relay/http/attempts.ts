/**
 * Guesses at the passwords of groups: slowed down for the one who guesses, and for nobody else.
 *
 * Who guesses is an account, whatever credential it comes with and from whatever network. It waits after its own wrong
 * guesses only. Because accounts cost nothing, wrong guesses count for the network that they come from, too. Where it has
 * made too many, an account with a wrong guess of its own waits for the network. One without is checked, because it
 * may have the right password, but only when nobody else waits for a check: that bounds the work. There is no bound
 * for a group as a whole: one who reached it would lock all others out.
 *
 * A guess counts before it is checked, so that many at once are not checked for one. One that was right, and one that the
 * relay could not check, are taken back.
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
/** Wrong guesses at one group from one network, a /24 or /48, and from each address in it. */
const FROM_NETWORK = { burst: 100, perSecond: 1 / 30 };
/** Accounts and groups that are remembered, in pairs. */
const MOST_REMEMBERED = 50_000;

/** Who guesses. */
export interface Guesser {
  account: AccountKey;
  /** As `networkOf` gives it. */
  network: string;
}

/** A guess that was let through, and counts as wrong until one of these is called, of which one has to be. */
export interface Guess {
  /**
   * Null: it is checked in its turn. A number: its network has made too many wrong guesses, so it comes after all others,
   * and of those that do, the one with the highest number first. It says how few its own address has made, 0 to 1.
   */
  readonly late: number | null;
  /** The password was wrong. The account waits from now on, however long the check took. */
  wrong(): void;
  /** The password was right: the account has made no wrong guess. */
  right(): void;
  /** The relay could not check it: it was no guess. */
  undo(): void;
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
  readonly #byAddress: RateLimit;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#byNetwork = new RateLimit('guess', FROM_NETWORK, now);
    this.#byAddress = new RateLimit('guess', FROM_NETWORK, now);
  }

  /**
   * Counts a guess at a group.
   * @throws ProblemError rate_limited if it comes too early
   */
  begin(group: string, { account, network }: Guesser): Guess {
    const own = this.#failuresOf(`${group} ${account}`);
    const before = { ...own };
    // Callers on the relay's own machine may stand for everybody: a proxy that is not trusted, say.
    const places: [RateLimit, string][] = isLoopback(network)
      ? []
      : [
          [this.#byNetwork, `${group} ${wideNetworkOf(network)}`],
          [this.#byAddress, `${group} ${network}`],
        ];
    const [ofNetwork = 0] = places.map(([limit, key]) => limit.wait(key));
    const wait = Math.max(Math.ceil((own.next - this.#now()) / 1000), own.count > 0 ? ofNetwork : 0);
    if (wait > 0) {
      throw new ProblemError('rate_limited', 'wrong_passwords', {}, { retryAfter: wait });
    }
    const delay = Math.min(FIRST_DELAY * 2 ** own.count, LONGEST_DELAY);
    own.next = this.#now() + delay;
    own.count++;
    const late = ofNetwork > 0 ? this.#byAddress.fill(`${group} ${network}`) : null;
    const taken = places.filter(([limit, key]) => limit.tryTake(key) === 0);
    const giveBack = () => {
      for (const [limit, key] of taken) limit.giveBack(key);
    };
    return {
      late,
      wrong: () => {
        own.next = Math.max(own.next, this.#now() + delay);
      },
      right: () => {
        this.#byAccount.delete(`${group} ${account}`);
        giveBack();
      },
      undo: () => {
        own.count--;
        // Unless another guess was begun meanwhile, it is as if there had been none.
        if (own.count === before.count) own.next = before.next;
        giveBack();
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
