/**
 * A rate of one network address, and ten times as much of the network around it: one subscriber or server of IPv6 often has
 * thousands of addresses, as limits count them.
 */
import type { Counters, Limit, Rate } from '../limits/counters.ts';
import { isLoopback, wideNetworkOf } from './network.ts';

/** The most addresses' worth of a network in which each caller has its own address. */
export const WIDE_SHARE = 10;

export class NetworkLimit implements Limit {
  readonly name: string;
  readonly rate: Rate;
  readonly #byAddress: Limit;
  readonly #byNetwork: Limit;

  constructor(counters: Counters, name: string, { burst, perSecond }: Rate) {
    this.name = name;
    this.rate = { burst, perSecond };
    this.#byAddress = counters.limit(name, this.rate, 'networks');
    const wide = { burst: burst * WIDE_SHARE, perSecond: perSecond * WIDE_SHARE };
    this.#byNetwork = counters.limit(`${name} of network`, wide, 'networks');
  }

  /**
   * Uses one call of both, or of neither.
   * @param network as `networkOf` returns it
   * @returns 0, or the seconds to wait
   * @throws StoreUnavailable
   */
  tryConsume(network: string): number | Promise<number> {
    const wait = this.#byAddress.tryConsume(network);
    return typeof wait === 'number' ? this.#afterAddress(network, wait) : this.#afterAll(network, wait);
  }

  async #afterAll(network: string, wait: Promise<number>): Promise<number> {
    return this.#afterAddress(network, await wait);
  }

  #afterAddress(network: string, wait: number): number | Promise<number> {
    // Callers on the relay's own machine may share one address, for example behind a proxy that is not trusted.
    if (wait > 0 || isLoopback(network)) return wait;
    const ofNetwork = this.#byNetwork.tryConsume(wideNetworkOf(network));
    const after = (seconds: number) => {
      if (seconds > 0) this.#byAddress.giveBack(network);
      return seconds;
    };
    if (typeof ofNetwork === 'number') return after(ofNetwork);
    return ofNetwork.then(after, (error: unknown) => {
      this.#byAddress.giveBack(network);
      throw error;
    });
  }

  giveBack(network: string): void {
    this.#byAddress.giveBack(network);
    if (!isLoopback(network)) this.#byNetwork.giveBack(wideNetworkOf(network));
  }

  left(network: string): number {
    return this.#byAddress.left(network);
  }
}
