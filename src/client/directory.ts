/**
 * The keys of others for a program, proven before they are used (src/messaging/trust).
 */
import type { AddressTrust } from '../messaging/trust/address-trust.ts';
import { UnverifiableError } from '../messaging/trust/errors.ts';
import type { ProvenKeys } from '../messaging/trust/judge.ts';
import { KeyTrust, type OwnKnowledge, type Shown, type TrustStore } from '../messaging/trust/key-trust.ts';
import type { DeviceList } from '../protocol/device-list.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { RelayApi } from './api.ts';

/** How long fetched keys are good for sending, in milliseconds. */
const FRESH_FOR = 60_000;
/** Addresses whose fetched keys are kept at hand. */
const MOST_FETCHED = 1_000;

/** Addresses of which a program without a journal remembers the keys. */
const MOST_TRUSTED = 20_000;

/** Trust for as long as the program runs, of those whose keys were used last. */
export function trustInMemory(): TrustStore {
  const kept = new RecentMap<string, AddressTrust>(MOST_TRUSTED);
  return {
    load: (address) => kept.get(address) ?? null,
    save: (address, trust) => kept.set(address, trust),
  };
}

export class KeyDirectory {
  readonly #relay: RelayApi;
  readonly #trust: KeyTrust;
  readonly #fetched = new RecentMap<string, { keys: ProvenKeys | null; at: number }>(MOST_FETCHED);

  /** @param own null where no identity is known */
  constructor(relay: RelayApi, store: TrustStore, own: OwnKnowledge | null = null) {
    this.#relay = relay;
    this.#trust = new KeyTrust(relay, store, () => Date.now(), own);
  }

  /**
   * The proven keys of an address, to seal to; null if it has no devices.
   * @param freshFor milliseconds for which what was fetched before is good enough
   * @throws UnverifiableError, KeysWithheldError, RelayRefusal, RelayUnreachable
   */
  async keys(address: string, freshFor = FRESH_FOR): Promise<ProvenKeys | null> {
    const known = this.#fetched.get(address);
    const isGood = known && Date.now() - known.at < freshFor && this.#isCurrent(address, known.keys);
    if (isGood) return known.keys;
    const [keys = null] = await this.learn([{ address, published: await this.#relay.keys(address) }]);
    if (keys instanceof Error) throw keys;
    this.#fetched.set(address, { keys, at: Date.now() });
    return keys;
  }

  /** Whether keys were proven by the list that is pinned now: a group, say, may have shown a newer one since. */
  #isCurrent(address: string, keys: ProvenKeys | null): boolean {
    const pinned = this.pinned(address)?.sequence;
    return pinned === keys?.deviceList.sequence && !this.#trust.findSealingProblem(address);
  }

  /**
   * Proves what the relay showed of addresses, here or in a group view, and remembers it.
   * @returns for each, in order: the keys to seal to, null if there are none, or why nothing may be sealed
   * @throws RelayRefusal, RelayUnreachable
   */
  async learn(shown: readonly Shown[]): Promise<(ProvenKeys | null | UnverifiableError)[]> {
    const judgements = await this.#trust.learn(shown);
    return shown.map(({ address }, index) => {
      const { keys = null, problem = null } = judgements[index] ?? {};
      return problem ?? this.#trust.findSealingProblem(address) ?? keys;
    });
  }

  /**
   * Asks the relay for the newest list of an address.
   * @returns the newest that was proven, whatever the relay shows; null if there is none
   * @throws RelayRefusal, RelayUnreachable
   */
  async newestList(address: string): Promise<DeviceList | null> {
    await this.keys(address, 0).catch((error) => {
      if (!(error instanceof UnverifiableError)) throw error;
    });
    return this.pinned(address);
  }

  /** The newest device list proven of an address. */
  pinned(address: string): DeviceList | null {
    return this.#trust.of(address).list;
  }

  /** Notes what signed words of a device say of its own newest list, and whether that list is still to be shown. */
  claim(address: string, deviceId: string, claim: { sequence: number; hash: string }): boolean {
    this.#trust.claim(address, deviceId, claim);
    return this.#trust.findSealingProblem(address) !== null;
  }

  /** Takes lists that another device handed over as proof that they exist. */
  takeEvidence(address: string, lists: readonly DeviceList[]): void {
    this.#trust.takeEvidence(address, lists);
  }
}
