/** Detects a change of network by the computer's addresses. A poll over the old network gets no answer. */
import { networkInterfaces } from 'node:os';

/** Interval of the check, in milliseconds. One check takes about 0.1 ms. */
const LOOK_EVERY = 2_000;

export class NetworkWatch {
  readonly #onChange: () => void;
  readonly #addresses: () => string;
  #timer: NodeJS.Timeout | undefined;
  #known = '';

  /** @param addresses the computer's addresses, as one text */
  constructor(onChange: () => void, addresses: () => string = ownAddresses) {
    this.#onChange = onChange;
    this.#addresses = addresses;
  }

  start(): void {
    this.#known = this.#addresses();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    // Watching alone does not keep a process running.
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

/** Every network address of this computer, without loopback. */
function ownAddresses(): string {
  return Object.entries(networkInterfaces())
    .flatMap(([name, all = []]) =>
      all.filter(({ internal }) => !internal).map(({ cidr, address }) => `${name} ${cidr ?? address}`),
    )
    .sort()
    .join();
}
