/**
 * What is remembered of one address and how lists, statements and claims are judged by it, protocol §10: 'What is
 * remembered of an address'.
 */
import {
  type DeviceList,
  hashOfList,
  hashOfSealKey,
  isSealKeyGood,
  type SealKey,
  verifyDeviceList,
} from './device.ts';
import type { ListReference } from './payload.ts';

/** What became of a list: the lines of the protocol's table, in its order. */
export type Verdict = 'first' | 'pin' | 'rejected' | 'fork' | 'older' | 'follows' | 'nothing';

/** Why nothing is sealed to an address. */
export type Waiting = 'nothing known' | 'fork' | 'claim' | 'hidden' | 'old keys';

/** What a device said of the newest list of its own address. */
export interface Claim {
  sequence: number;
  hash: string | null;
}

/** The lists above one number and below another, ascending, as far as they are had. */
export type Between = (after: number, below: number) => Promise<DeviceList[]>;

export class Remembered {
  readonly address: string;
  pin: DeviceList | null = null;
  fork: DeviceList | null = null;
  /** Whether the pin is the list that the relay showed last. */
  shown = false;
  /** Whether the relay showed seal keys beside the pin, and only such as were replaced. */
  onlyOldKeys = false;
  readonly claims = new Map<string, Claim>();
  readonly #earlier = new Map<number, string>();
  readonly #statements = new Map<string, { sequence: number; hash: string }>();
  #rejected: ListReference[] = [];

  constructor(address: string) {
    this.address = address;
  }

  /** A list that the relay shows. @throws Error when it does not prove itself */
  async show(list: DeviceList, between: Between, now = Date.now()): Promise<Verdict> {
    await verifyDeviceList(this.address, list, now);
    const { verdict, walked } = await this.#judge(list, between);
    if (verdict === 'first' || verdict === 'follows') this.#becomePin(list, walked);
    if (verdict === 'fork') this.fork = list;
    if (verdict === 'rejected' || verdict === 'older') this.shown = false;
    if (verdict === 'first' || verdict === 'follows' || verdict === 'pin') this.shown = true;
    return verdict;
  }

  /** The relay shows nothing any more. */
  showNothing(): void {
    this.shown = false;
  }

  /**
   * Lists that came sealed in a `hello`. Only a new pin and a fork follow from them; a new pin is not shown by the relay.
   * @throws Error when the newest does not prove itself
   */
  async takeEvidence(lists: DeviceList[]): Promise<Verdict> {
    const newest = lists.at(-1);
    if (!this.pin || !newest) return 'nothing';
    await verifyDeviceList(this.address, newest);
    const between: Between = async (after, below) =>
      lists.filter(({ sequence }) => sequence > after && sequence < below);
    const { verdict, walked } = await this.#judge(newest, between);
    if (verdict === 'fork') this.fork = newest;
    if (verdict === 'follows') {
      this.#becomePin(newest, walked);
      this.shown = false;
    }
    return verdict;
  }

  /** Those of the seal keys beside the pin that may be sealed to: proven, in force and not replaced. */
  judgeSealKeys(sealKeys: SealKey[], now = Date.now()): SealKey[] {
    const { pin } = this;
    if (!pin) return [];
    const good = sealKeys.filter((sealKey) => isSealKeyGood(this.address, pin, sealKey, now));
    const current = good.filter((sealKey) => this.#isCurrent(sealKey));
    this.onlyOldKeys = good.length > 0 && current.length === 0;
    return current;
  }

  #isCurrent(sealKey: SealKey): boolean {
    const { deviceId, sequence, listSequence } = sealKey;
    const hash = hashOfSealKey(this.address, sealKey);
    const known = this.#statements.get(deviceId);
    if (known && (sequence < known.sequence || (sequence === known.sequence && hash !== known.hash)))
      return false;
    this.#statements.set(deviceId, { sequence, hash });
    this.claim(deviceId, { sequence: listSequence, hash: null });
    return true;
  }

  /** Notes what a device said; only devices in the pin are believed. */
  claim(deviceId: string, claim: Claim): void {
    if (!this.pin?.devices.some((device) => device.deviceId === deviceId)) return;
    const known = this.claims.get(deviceId);
    const isNewer = !known || claim.sequence > known.sequence;
    if (isNewer || (claim.sequence === known.sequence && known.hash === null))
      this.claims.set(deviceId, claim);
  }

  get isClaimOpen(): boolean {
    return [...this.claims.values()].some((claim) => this.#isOpen(claim));
  }

  #isOpen({ sequence, hash }: Claim): boolean {
    if (hash !== null && this.#isRejected(hash)) return false;
    if (sequence > (this.pin?.sequence ?? 0)) return true;
    if (hash === null) return false;
    const known = this.#hashOf(sequence);
    return known !== undefined && known !== hash;
  }

  /** Why nothing is sealed to the address; null when it may be. */
  get waitingFor(): Waiting | null {
    if (!this.pin) return 'nothing known';
    if (this.fork) return 'fork';
    if (this.isClaimOpen) return 'claim';
    if (!this.shown) return 'hidden';
    return this.onlyOldKeys ? 'old keys' : null;
  }

  /** What the person decides of a fork. */
  decide(chosen: 'pin' | 'other'): void {
    const { pin, fork } = this;
    if (!pin || !fork) throw new Error('there is nothing to decide');
    const loser = chosen === 'pin' ? fork : pin;
    this.#rejected.push({ sequence: loser.sequence, hash: hashOfList(this.address, loser) });
    this.#rejected = this.#rejected.slice(-16);
    this.claims.clear();
    this.fork = null;
    if (chosen === 'pin') return;
    this.#earlier.clear();
    this.#pinAlone(fork);
    this.shown = false;
  }

  async #judge(list: DeviceList, between: Between): Promise<{ verdict: Verdict; walked: DeviceList[] }> {
    const known = this.#judgeAlone(list);
    if (known) return { verdict: known, walked: [] };
    const walked = await this.#walk(list, between);
    if (!walked) return { verdict: 'nothing', walked: [] };
    const named = (walked[0] ?? list).previous;
    return { verdict: this.pin && named === hashOfList(this.address, this.pin) ? 'follows' : 'fork', walked };
  }

  /** The verdict on a list that needs no other lists; null for one with a higher number than the pin's. */
  #judgeAlone(list: DeviceList): Verdict | null {
    const { pin } = this;
    if (!pin) return 'first';
    const hash = hashOfList(this.address, list);
    if (hash === hashOfList(this.address, pin)) return 'pin';
    if (this.#isRejected(hash)) return 'rejected';
    if (list.sequence > pin.sequence) return null;
    const known = this.#hashOf(list.sequence);
    return known !== undefined && known !== hash ? 'fork' : 'older';
  }

  /** The lists between the pin and a list, if each is there and named by the next; null otherwise. */
  async #walk(list: DeviceList, between: Between): Promise<DeviceList[] | null> {
    const after = this.pin?.sequence ?? list.sequence - 1;
    if (list.sequence === after + 1) return [];
    const lists = await between(after, list.sequence);
    if (lists.length !== list.sequence - after - 1) return null;
    for (const [index, each] of lists.entries()) {
      const next = lists[index + 1] ?? list;
      if (each.sequence !== after + 1 + index || next.previous !== hashOfList(this.address, each))
        return null;
    }
    return lists;
  }

  #becomePin(list: DeviceList, between: DeviceList[]): void {
    for (const each of [this.pin, ...between]) {
      if (each) this.#earlier.set(each.sequence, hashOfList(this.address, each));
    }
    this.#pinAlone(list);
  }

  #pinAlone(list: DeviceList): void {
    this.pin = list;
    const ids = new Set(list.devices.map(({ deviceId }) => deviceId));
    for (const known of [this.claims, this.#statements]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
  }

  #hashOf(sequence: number): string | undefined {
    if (this.pin?.sequence === sequence) return hashOfList(this.address, this.pin);
    return this.#earlier.get(sequence);
  }

  #isRejected(hash: string): boolean {
    return this.#rejected.some((rejected) => rejected.hash === hash);
  }
}
