/**
 * Notices that the computer is in another network, or in none: its addresses have changed. A call that is held over the
 * old one is answered by nobody.
 */
import { networkInterfaces } from 'node:os';

/** How often it is looked, in milliseconds. One look takes about 0.1 ms. */
const LOOK_EVERY = 2_000;

export class NetworkWatch {
  readonly #onChange: () => void;
  readonly #addresses: () => string;
  #timer: NodeJS.Timeout | undefined;
  #known = '';

  /** @param addresses what this computer is reached by, as one text */
  constructor(onChange: () => void, addresses: () => string = ownAddresses) {
    this.#onChange = onChange;
    this.#addresses = addresses;
  }

  start(): void {
    this.#known = this.#addresses();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    // Watching alone keeps nobody awake.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#addresses();
    if (now === this.#known) return;
    this.#known = now;
    this.#onChange();
  }
}

/** Every address of this computer in a network, not those by which it reaches itself. */
function ownAddresses(): string {
  return Object.entries(networkInterfaces())
    .flatMap(([name, all = []]) =>
      all.filter(({ internal }) => !internal).map(({ cidr, address }) => `${name} ${cidr ?? address}`),
    )
    .sort()
    .join();
}
