/**
 * The pins that a program remembers: its knowledge of the device lists and seal keys of addresses. Anyone can make a
 * program fetch an address, by writing to it or by joining a group, so the number is limited. Recent recipients have
 * priority, and strangers replace only strangers. After its pin was dropped, an address counts as seen for the first
 * time.
 */
import { z } from 'zod';
import { AddressTrust } from '../../../messaging/trust/address-trust.ts';
import { WireAddress } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

/** The most pins of recipients and group members; {@link Pins.trim} has the order in which they are dropped. */
export const MAX_PINS = 10_000;
/** The most pins of others; the least recently used is dropped first. */
export const MAX_STRANGERS = 1_000;
/** Pins above the limits before some are dropped. */
const SLACK = 100;

const PinEntry = z.strictObject({ address: WireAddress, trust: AddressTrust });
type PinEntry = z.infer<typeof PinEntry>;

export class Pins implements Table<PinEntry> {
  readonly schema = PinEntry;
  /** The most recently used comes last. */
  readonly #pins = new Map<string, AddressTrust>();
  #looksAt = 0;

  get(address: string): AddressTrust | null {
    const trust = this.#pins.get(address);
    if (trust) this.apply({ address, trust });
    return trust ?? null;
  }

  apply({ address, trust }: PinEntry): void {
    this.#pins.delete(address);
    this.#pins.set(address, trust);
  }

  /** Reports whether enough pins were added since {@link trim} for the next one. */
  get isDue(): boolean {
    return this.#pins.size >= this.#looksAt;
  }

  /** @param partners addresses with priority, the most important first; others are strangers */
  trim(partners: Iterable<string>): void {
    const kept = new Set<string>();
    for (const address of partners) {
      if (kept.size === MAX_PINS) break;
      if (this.#pins.has(address)) kept.add(address);
    }
    const strangers = [...this.#pins.keys()].filter((address) => !kept.has(address));
    for (const address of strangers.slice(0, -MAX_STRANGERS)) this.#pins.delete(address);
    this.#looksAt = this.#pins.size + SLACK;
  }

  entries(): PinEntry[] {
    return Array.from(this.#pins, ([address, trust]) => ({ address, trust }));
  }
}
