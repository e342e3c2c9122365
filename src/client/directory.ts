/**
 * The keys of others, proven before they are used, with the newest device list of each address pinned.
 */
import type { DeviceList } from '../protocol/device-list.ts';
import type { RelayApi } from './api.ts';
import { type ProvenKeys, proveKeys } from './proof.ts';

/** How long fetched keys are good for sending, in milliseconds. */
const FRESH_FOR = 60_000;

/** Where pinned lists are kept. */
export interface Pins {
  pinned(address: string): DeviceList | null;
  pin(address: string, list: DeviceList): void;
}

/** Pins for as long as the program runs. */
export function pinsInMemory(): Pins {
  const lists = new Map<string, DeviceList>();
  return {
    pinned: (address) => lists.get(address) ?? null,
    pin: (address, list) => void lists.set(address, list),
  };
}

export class KeyDirectory {
  readonly #relay: RelayApi;
  readonly #pins: Pins;
  readonly #fetched = new Map<string, { keys: ProvenKeys | null; at: number }>();

  constructor(relay: RelayApi, pins: Pins) {
    this.#relay = relay;
    this.#pins = pins;
  }

  /**
   * The proven keys of an address; null if it has no devices.
   * @param freshFor milliseconds for which what was fetched before is good enough
   * @throws UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async keys(address: string, freshFor = FRESH_FOR): Promise<ProvenKeys | null> {
    const known = this.#fetched.get(address);
    if (known && Date.now() - known.at < freshFor) return known.keys;
    const keys = this.prove(address, await this.#relay.keys(address));
    this.#fetched.set(address, { keys, at: Date.now() });
    return keys;
  }

  /**
   * Proves what the relay showed of an address, here or in a group view, and pins it.
   * @throws UnverifiableError
   */
  prove(address: string, published: ProvenKeys | null): ProvenKeys | null {
    const proven = proveKeys(address, published, this.#pins.pinned(address), Date.now());
    if (proven) this.#pins.pin(address, proven.deviceList);
    return proven;
  }

  /** The newest device list seen of an address. */
  pinned(address: string): DeviceList | null {
    return this.#pins.pinned(address);
  }
}
