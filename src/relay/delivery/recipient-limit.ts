/**
 * How fast one address can be written to, by everybody together, and how much of that is one sender's or one
 * network's: so that many senders who are nobody cannot fill its queues before its owner looks, and however many they
 * are, none of them takes the turn of a friend. Of relays on one database each has an equal part of the rate: what comes to one address comes
 * from many, by all of them.
 */

import { RateLimit } from '../http/rate-limit.ts';
import type { Rate } from '../limits/counters.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { QueueShares } from '../rules/queue-share.ts';
import { FairRate, type RateHolder } from './fair-rate.ts';

/** Who sends, as the limit counts it. */
export interface SenderPlace {
  from: string;
  /** The name of the network, where it says something. */
  network: string | null;
}

export class RecipientLimit {
  readonly #shares: QueueShares;
  readonly #all: FairRate;
  readonly #bySender: RateLimit;
  readonly #byNetwork: RateLimit;

  /**
   * @param rate may change
   * @param now a monotonic clock in milliseconds
   */
  constructor(rate: Rate, shares: QueueShares, now: () => number = () => performance.now()) {
    this.#shares = shares;
    this.#all = new FairRate(rate, now);
    this.#bySender = new RateLimit('sender', partOf(rate, shares.sender), now);
    this.#byNetwork = new RateLimit('network', partOf(rate, shares.network), now);
  }

  /**
   * Counts one envelope to an address.
   * @returns 0, or the seconds to wait if it is one too many
   */
  tryTake(address: string, { from, network }: SenderPlace): number {
    const holders: RateHolder[] = [{ name: from, share: this.#shares.sender }];
    const parts: [RateLimit, string][] = [[this.#bySender, `${address} ${from}`]];
    if (network !== null) {
      holders.push({ name: network, share: this.#shares.network });
      parts.push([this.#byNetwork, `${address} ${network}`]);
    }
    const wait = Math.max(this.#all.wait(address, holders), ...parts.map(([limit, key]) => limit.wait(key)));
    if (wait > 0) return wait;
    this.#all.take(address, holders);
    for (const [limit, key] of parts) limit.tryTake(key);
    return 0;
  }

  /**
   * The same.
   * @throws ProblemError rate_limited
   */
  take(address: string, place: SenderPlace): void {
    const wait = this.tryTake(address, place);
    if (wait > 0) throw tooMuchFor(address, wait);
  }
}

function partOf(rate: Rate, share: number): Rate {
  return {
    get burst() {
      return Math.max(1, rate.burst * share);
    },
    get perSecond() {
      return rate.perSecond * share;
    },
  };
}

/** @param wait in seconds */
export function tooMuchFor(address: string, wait: number): ProblemError {
  return new ProblemError('rate_limited', 'recipient', { address }, { retryAfter: wait });
}
