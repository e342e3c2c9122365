import { type DeviceList, isProven, listHash } from './device-list.ts';
import { Gaps } from './gaps.ts';
import { type Known, knownHash, unknownAddress } from './known.ts';
import type { Payload } from './payload.ts';
import { AcceptedMessages } from './replay.ts';
import type { Entry } from './roster-entry.ts';
import { emptyGroup, type GroupState } from './roster-state.ts';

/** A group whose chain this client keeps. */
export interface KnownGroup {
  state: GroupState;
  /** An entry that proves that the relay shows two chains. Nothing is sealed until the person decides. */
  split: Entry | null;
  /** Reason why the chain ended before the relay's end; null if it did not. */
  problem: string | null;
}

/** The state of a client between calls (section 10). A long-lived program stores it durably. */
export class Memory {
  readonly addresses = new Map<string, Known>();
  readonly groups = new Map<string, KnownGroup>();
  readonly acceptedMessages = new AcceptedMessages();
  readonly pqKeys = new Map<string, Uint8Array>();
  /** Contents of kinds that this client does not show, from accepted senders. */
  readonly kept: Payload[] = [];
  readonly accepted = new Set<string>();
  /** The longest retention that the relay has reported so far, in seconds. */
  retentionSeconds: number | null = null;
  lastEnd: number | null = null;
  lastReceived: number | null = null;
  readonly #lists = new Map<string, DeviceList>();
  readonly #numbers = new Map<string, number>();
  readonly #gaps = new Map<string, Gaps>();
  readonly #owners = new Map<string, string>();

  of(address: string): Known {
    return getOrMake(this.addresses, address, () => unknownAddress(address));
  }

  group(id: string): KnownGroup {
    return getOrMake(this.groups, id, () => ({ state: emptyGroup(id), split: null, problem: null }));
  }

  gaps(conversation: string): Gaps {
    return getOrMake(this.#gaps, conversation, () => new Gaps());
  }

  /** All conversations with tracked numbers, by the address or the group's id. */
  conversations(): Iterable<[string, Gaps]> {
    return this.#gaps;
  }

  /** A proven device wrote with that number. */
  receivedNumber(conversation: string, device: string, owner: string, seq: number): void {
    this.#owners.set(device, owner);
    this.gaps(conversation).receive(device, seq);
  }

  /** Owner of each device that has written. */
  ownerOf(device: string): string | undefined {
    return this.#owners.get(device);
  }

  /** The next number of this device in a conversation. It is stored before the first copy is sealed. */
  nextNumber(conversation: string): number {
    const next = (this.#numbers.get(conversation) ?? 0) + 1;
    this.#numbers.set(conversation, next);
    return next;
  }

  setRetention(seconds: number): void {
    this.retentionSeconds = Math.max(seconds, this.retentionSeconds ?? 0);
  }

  /** A proven list by address and number, for the fold of a chain. */
  list(address: string, sequence: number): DeviceList | undefined {
    const pin = this.addresses.get(address)?.pin;
    return pin?.sequence === sequence ? pin : this.#lists.get(`${address} ${sequence}`);
  }

  /** Stores a valid list that does not contradict the known lists of its address. */
  async learnList(address: string, list: DeviceList, now: number): Promise<void> {
    const other = knownHash(this.of(address), list.sequence);
    if (other !== undefined && other !== listHash(address, list)) return;
    if (await isProven(address, list, now)) this.#lists.set(`${address} ${list.sequence}`, list);
  }

  /** Stores a content that is not shown. Beyond the limit the oldest are dropped. */
  keep(payload: Payload): void {
    this.kept.push(payload);
    const sizes = () => this.kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (this.kept.length > KEPT_MOST || sizes() > KEPT_BYTES) this.kept.shift();
  }
}

const KEPT_MOST = 1_000;
const KEPT_BYTES = 8 * 1024 * 1024;

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const had = map.get(key);
  if (had !== undefined) return had;
  const made = make();
  map.set(key, made);
  return made;
}
