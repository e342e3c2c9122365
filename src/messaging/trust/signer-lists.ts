/**
 * Device lists by number. Entries and tickets of a group's roster name a list with their signer's device,
 * which need not be the newest. Each is fetched once and proven by its wallet's signature. It must agree with
 * the stored ones.
 */

import { BoundedMap } from '../../protocol/bounded-map.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { KeySource } from '../relay.ts';
import { type AddressTrust, hashOf, isRejected, knownHash } from './address-trust.ts';
import { findListFault } from './list-fault.ts';

/** Limit of lists in memory: one for each member of the largest group, doubled. */
const MAX_LISTS = 10_000;
/** Limit of wants per call, set by the relay. */
const WANTS = 200;
/** Limit of calls per proof, against a relay that sends lists one by one. */
const MAX_CALLS = 50;
/** Number of addresses whose newest lists are fetched at the same time. */
const REFRESHED_TOGETHER = 8;

export interface ListWant {
  readonly address: string;
  readonly sequence: number;
}

/** Known lists of addresses, for example {@link KeyDirectory}. */
export interface PinnedLists {
  trustIn(address: string): AddressTrust;
  refresh(address: string): Promise<void>;
  addEvidence(address: string, lists: readonly DeviceList[]): void;
}

export class SignerLists {
  readonly #source: Pick<KeySource, 'keyHistories'>;
  readonly #pinned: PinnedLists;
  readonly #now: () => number;
  readonly #lists = new BoundedMap<string, DeviceList>(MAX_LISTS);

  /** @param now milliseconds since 1970 */
  constructor(source: Pick<KeySource, 'keyHistories'>, pinned: PinnedLists, now: () => number) {
    this.#source = source;
    this.#pinned = pinned;
    this.#now = now;
  }

  /** The proven list of an address with a number; null for none. */
  known(address: string, sequence: number): DeviceList | null {
    const { list } = this.#pinned.trustIn(address);
    if (list?.sequence === sequence) return list;
    const kept = this.#lists.get(`${address} ${sequence}`);
    return kept && this.#fits(address, kept) ? kept : null;
  }

  /** Reports whether the newest known list of an address lacks a device. */
  isDropped(address: string, deviceId: string): boolean {
    const { list } = this.#pinned.trustIn(address);
    return list !== null && !list.devices.some((device) => device.deviceId === deviceId);
  }

  /** Reports whether an address has signed a list after the one with a number. @throws RelayRefusal, RelayUnreachable */
  async hasNewer(address: string, sequence: number): Promise<boolean> {
    await this.prove([{ address, sequence: sequence + 1 }]);
    return this.known(address, sequence + 1) !== null;
  }

  /**
   * Fetches unknown lists, and stores the proven ones.
   * @throws RelayRefusal, RelayUnreachable
   */
  async prove(wants: readonly ListWant[]): Promise<void> {
    let open = this.#unknown(wants);
    // A list above the pinned one is the next to pin, if the relay is honest.
    const ahead = new Set(open.filter((want) => this.#isAhead(want)).map(({ address }) => address));
    await this.#refresh([...ahead].slice(0, WANTS));
    open = this.#unknown(open);
    for (let call = 0; call < MAX_CALLS && open.length > 0; call++) {
      const batch = open.slice(0, WANTS);
      const answers = await this.#source.keyHistories(
        batch.map(({ address, sequence }) => ({ address, after: sequence - 1, upTo: sequence })),
      );
      const again = batch.filter(({ address, sequence }, index) => {
        const list = answers[index]?.lists.find((each) => each.sequence === sequence);
        if (list) this.#append(address, list);
        // Truncated, because all answers together were too long.
        return !list && (answers[index]?.more ?? false);
      });
      if (again.length === batch.length) return;
      open = [...again, ...open.slice(WANTS)];
    }
  }

  /** Fetches the newest lists of addresses, a few at a time. */
  async #refresh(addresses: readonly string[]): Promise<void> {
    const waiting = addresses.values();
    const refresh = async () => {
      for (const address of waiting) await this.#pinned.refresh(address);
    };
    const ends = await Promise.allSettled(Array.from({ length: REFRESHED_TOGETHER }, refresh));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  #unknown(wants: readonly ListWant[]): ListWant[] {
    const unique = new Map(wants.map((want) => [`${want.address} ${want.sequence}`, want]));
    return [...unique.values()].filter(({ address, sequence }) => !this.known(address, sequence));
  }

  #isAhead({ address, sequence }: ListWant): boolean {
    const { list } = this.#pinned.trustIn(address);
    return list !== null && sequence > list.sequence;
  }

  #append(address: string, list: DeviceList): void {
    const trust = this.#pinned.trustIn(address);
    const known = knownHash(address, trust, list.sequence);
    const hash = hashOf(address, list);
    if (isRejected(trust, hash)) return;
    if (known !== hash && findListFault(address, list, this.#now()) !== null) return;
    // A second list of a number is a fork, and a newer one than the shown is hidden: the trust handles both.
    const isNews = known !== null ? known !== hash : (trust.list?.sequence ?? list.sequence) < list.sequence;
    if (isNews) this.#pinned.addEvidence(address, [list]);
    if (this.#fits(address, list)) this.#lists.set(`${address} ${list.sequence}`, list);
  }

  /** Reports whether a list contradicts nothing that is stored. */
  #fits(address: string, list: DeviceList): boolean {
    const trust = this.#pinned.trustIn(address);
    const hash = hashOf(address, list);
    const known = knownHash(address, trust, list.sequence);
    return (known === null || known === hash) && !isRejected(trust, hash);
  }
}
