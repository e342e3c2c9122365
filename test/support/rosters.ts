/**
 * People with fixed keys, and a chain of roster entries that grows as they act.
 */
import { type DeviceList, deviceListHash, signDeviceList } from '../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../../src/protocol/encoding.ts';
import { entryHash } from '../../src/protocol/roster/entry.ts';
import { type Folded, foldRoster } from '../../src/protocol/roster/fold.ts';
import type { RosterContent, RosterEntry, Ticket } from '../../src/protocol/roster/forms.ts';
import { createGroup, nextEntry, type RosterSigner } from '../../src/protocol/roster/making.ts';
import { emptyRoster, type RosterState } from '../../src/protocol/roster/state.ts';
import { signTicket } from '../../src/protocol/roster/tickets.ts';
import type { RosterContext } from '../../src/protocol/roster/verdict.ts';
import { type FixedDevice, fixedDevice, fixedWallet } from './identities.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Creation time of the first group. */
export const BEGINNING = Date.parse('2026-11-20T20:00:00.000Z');

/**
 * A person with three devices: list 1 has all, list 2 lacks the second. The third expires an hour after the
 * beginning.
 */
export interface RosterFixture {
  readonly name: string;
  readonly address: string;
  readonly devices: readonly [FixedDevice, FixedDevice, FixedDevice];
  readonly lists: readonly DeviceList[];
}

/** @param seed of the wallet; those of the devices follow it */
export function rosterFixture(name: string, seed: number): RosterFixture {
  const wallet = fixedWallet(seed);
  const third = fixedDevice(seed + 3);
  const brief = { ...third, entry: { ...third.entry, validUntil: encodeTime(BEGINNING + HOUR) } };
  const devices = [fixedDevice(seed + 1), fixedDevice(seed + 2), brief] as const;
  const first = signDeviceList(wallet, {
    sequence: 1,
    previous: null,
    issued: encodeTime(BEGINNING - DAY),
    unsigned: [],
    devices: devices.map(({ entry }) => entry),
  });
  const second = signDeviceList(wallet, {
    ...first,
    sequence: 2,
    previous: deviceListHash(wallet.address, first),
    devices: [devices[0].entry, devices[2].entry],
  });
  return { name, address: wallet.address, devices, lists: [first, second] };
}

/** The signer of someone's device, with the list that it names. */
export function signerOf(person: RosterFixture, list = 1, device: 0 | 1 | 2 = 0): RosterSigner {
  return { address: person.address, deviceKey: person.devices[device].key, list };
}

/** Treats the lists of these people as proven. */
export function contextOf(people: readonly RosterFixture[], now: number): RosterContext {
  return {
    now,
    deviceList: (address, sequence) =>
      people.find((person) => person.address === address)?.lists[sequence - 1] ?? null,
  };
}

export type Action = Exclude<RosterContent, { kind: 'create' }>;

export interface How {
  /** `issued`, in milliseconds; by default a minute after the last entry. */
  at?: number;
  list?: number;
  device?: 0 | 1 | 2;
}

/** A chain that is extended by valid entries. */
export class RosterChain {
  readonly people: readonly RosterFixture[];
  readonly entries: RosterEntry[];
  state: RosterState;

  constructor(people: readonly RosterFixture[], founder: RosterFixture, name = 'Walkers', nonce = 0x07) {
    this.people = people;
    const bytes = new Uint8Array(16).fill(nonce);
    const { groupId, entry } = createGroup(signerOf(founder), name, BEGINNING, bytes);
    this.entries = [];
    this.state = emptyRoster(groupId);
    this.append(entry);
  }

  /** A second chain that diverges from here. */
  copy(): RosterChain {
    const copy: RosterChain = Object.create(RosterChain.prototype);
    return Object.assign(copy, { people: this.people, entries: [...this.entries], state: this.state });
  }

  get groupId(): string {
    return this.state.groupId;
  }

  /** An entry that would follow, valid or not. */
  make(person: RosterFixture, action: Action, { at, list, device }: How = {}): RosterEntry {
    return nextEntry(this.state, signerOf(person, list, device), action, at ?? this.state.issued + MINUTE);
  }

  ticket(from: RosterFixture, to: RosterFixture, { at, list, device }: How = {}, life?: number): Ticket {
    return signTicket(
      this.state,
      signerOf(from, list, device),
      to.address,
      at ?? this.state.issued + 1,
      life,
    );
  }

  fold(entry: RosterEntry, now = BEGINNING + 400 * DAY): Folded {
    return foldRoster(this.state, [entry], contextOf(this.people, now));
  }

  /** Appends an entry. Throws if it is invalid. */
  append(entry: RosterEntry): this {
    const { state, end } = this.fold(entry);
    if (end) throw new Error(`an entry of a test's own chain does not hold: ${JSON.stringify(end)}`);
    this.state = state;
    this.entries.push(entry);
    return this;
  }

  add(person: RosterFixture, action: Action, how: How = {}): this {
    return this.append(this.make(person, action, how));
  }

  hashAt(epoch: number): string {
    const entry = this.entries[epoch - 1];
    if (!entry) throw new Error('the chain is shorter');
    return entryHash(entry);
  }
}

/** The same entry with another body under the old signature. */
export function withBody(entry: RosterEntry, text: string): RosterEntry {
  return { ...entry, body: encodeBase64Url(encodeUtf8(text)) };
}
