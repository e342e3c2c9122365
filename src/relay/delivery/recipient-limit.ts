/**
 * Limits on mail to one address, in total and per sender or network. Many new accounts then cannot fill its queues
 * before its owner reads them, and they never use up the share of a friend. Relays on one database each have an
 * equal part of the rate: mail to one address arrives from many senders, through all relays.
 */

import { RateLimit } from '../http/rate-limit.ts';
import type { Rate } from '../limits/counters.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { QueueShares } from '../rules/queue-share.ts';
import { FairRate, type RateHolder } from './fair-rate.ts';

/** The sender, as the limit counts it. */
export interface SenderPlace {
  from: string;
  /** The name of the network, where it has a meaning. */
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
   * @returns 0, or the seconds to wait if the limit is reached
   */
  tryConsume(address: string, { from, network }: SenderPlace): number {
    const holders: RateHolder[] = [{ name: from, share: this.#shares.sender }];
    const parts: [RateLimit, string][] = [[this.#bySender, `${address} ${from}`]];
    if (network !== null) {
      holders.push({ name: network, share: this.#shares.network });
      parts.push([this.#byNetwork, `${address} ${network}`]);
    }
    const wait = Math.max(this.#all.wait(address, holders), ...parts.map(([limit, key]) => limit.wait(key)));
    if (wait > 0) return wait;
    this.#all.consume(address, holders);
    for (const [limit, key] of parts) limit.tryConsume(key);
    return 0;
  }

  /**
   * The same.
   * @throws ProblemError rate_limited
   */
  consume(address: string, place: SenderPlace): void {
    const wait = this.tryConsume(address, place);
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
