/**
 * Which pins a program remembers: what it knows of the device lists and seal keys of addresses. Anybody can make a
 * program look at an address, by writing to it or by joining a group, so the number is bounded. Whom the program wrote
 * to last matters most, and strangers push out nobody but strangers. An address whose pin was dropped is seen for the
 * first time again.
 */
import type { AddressTrust } from '../../messaging/trust/address-trust.ts';

/** Pins of those the program wrote to or shares a group with; see {@link Pins.trim} for who is dropped first. */
export const MOST_PINS = 10_000;
/** Pins of everybody else; who was looked at longest ago is dropped first. */
export const MOST_STRANGERS = 1_000;
/** Pins beyond these, before there is a look at whose are dropped. */
const SLACK = 100;

export class Pins {
  /** Who was looked at last comes last. */
  readonly #pins = new Map<string, AddressTrust>();
  #looksAt = 0;

  get(address: string): AddressTrust | null {
    const trust = this.#pins.get(address);
    if (trust) this.set(address, trust);
    return trust ?? null;
  }

  set(address: string, trust: AddressTrust): void {
    this.#pins.delete(address);
    this.#pins.set(address, trust);
  }

  /** Whether so many came since {@link trim} that it is time for the next. */
  get isDue(): boolean {
    return this.#pins.size >= this.#looksAt;
  }

  /** @param partners addresses that matter, the most important first; others are strangers */
  trim(partners: Iterable<string>): void {
    const kept = new Set<string>();
    for (const address of partners) {
      if (kept.size === MOST_PINS) break;
      if (this.#pins.has(address)) kept.add(address);
    }
    const strangers = [...this.#pins.keys()].filter((address) => !kept.has(address));
    for (const address of strangers.slice(0, -MOST_STRANGERS)) this.#pins.delete(address);
    this.#looksAt = this.#pins.size + SLACK;
  }

  entries(): [string, AddressTrust][] {
    return [...this.#pins];
  }
}
