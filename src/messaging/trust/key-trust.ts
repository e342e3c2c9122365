/**
 * The keys of others, proven before use. The relay's data counts as far as wallets and devices signed it, and
 * as far as it follows earlier data. The lists in between are fetched and verified.
 */
import type { UnverifiableError } from '../../base/failure.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { HandleRecord } from '../../protocol/schemas/directory.ts';
import type { KeySource } from '../relay.ts';
import { type AddressTrust, NOTHING_KNOWN, withClaim } from './address-trust.ts';
import {
  choose,
  findSealingProblem,
  type Judgement,
  judgeEvidence,
  judgeOwn,
  judgeShown,
  type ProvenKeys,
} from './judge.ts';

/**
 * Limit of lists fetched to catch up with one address: years of changes. A relay beyond it is not followed.
 */
const MAX_BETWEEN = 1_000;
/** Limit of wants per call, set by the relay. */
const WANTS = 200;
/** Limit of calls for catching up, against a relay that sends lists one by one. */
const MAX_CALLS = 50;

/** Storage of trust. Every save must be durable when the call returns, or that of `transaction` around it. */
export interface TrustStore {
  load(address: string): AddressTrust | null;
  save(address: string, trust: AddressTrust): void;
  /** Runs work whose saves are durable at its end; a failure undoes all of them. Default: each save alone. */
  transaction?<T>(work: () => T): T;
}

/** The own address, and all own lists known to this device, ascending: independent of the relay. */
export interface OwnKnowledge {
  address: string;
  newest(): DeviceList | null;
  lists(): readonly DeviceList[];
}

/** The relay's data of an address, from its own call or with a group. */
export interface Shown {
  address: string;
  /** Null for none. */
  published: (ProvenKeys & { profile?: HandleRecord | null | undefined }) | null;
}

/** Runs work in one transaction, if the storage has them: otherwise each member of a group would need a wait for the disk. */
export function inTransaction<T>(store: TrustStore, work: () => T): T {
  return store.transaction ? store.transaction(work) : work();
}

export class KeyTrust {
  readonly #source: Pick<KeySource, 'keyHistories'>;
  readonly #store: TrustStore;
  readonly #now: () => number;
  readonly #own: OwnKnowledge | null;

  /**
   * @param now milliseconds since 1970
   * @param own null if the caller knows no own lists
   */
  constructor(
    source: Pick<KeySource, 'keyHistories'>,
    store: TrustStore,
    now: () => number,
    own: OwnKnowledge | null = null,
  ) {
    this.#source = source;
    this.#store = store;
    this.#now = now;
    this.#own = own;
  }

  /**
   * Judges and stores the relay's data of addresses. The lists between the pinned and the shown ones are
   * fetched.
   * @returns one judgement for each, in order
   * @throws the errors of the source
   */
  async learn(shown: readonly Shown[]): Promise<Judgement[]> {
    const between = await this.#between(shown);
    const judge = () =>
      shown.map(({ address, published }, index) => {
        const before = this.of(address);
        const sequence = before.list?.sequence ?? 0;
        // The pin may have moved during the call.
        const missing = (between[index] ?? []).filter((list) => list.sequence > sequence);
        const judgement = judgeShown(address, before, published, missing, this.#now());
        this.#keep(address, before, judgement.trust);
        return judgement;
      });
    return inTransaction(this.#store, judge);
  }

  /** Stored trust of an address. */
  of(address: string): AddressTrust {
    const trust = this.#store.load(address) ?? NOTHING_KNOWN;
    return this.#own?.address === address ? this.#withOwnLists(this.#own, trust) : trust;
  }

  /** A device removed from the own list here gets nothing, even if the relay shows the earlier list. */
  #withOwnLists(own: OwnKnowledge, before: AddressTrust): AddressTrust {
    if ((own.newest()?.sequence ?? 0) <= (before.list?.sequence ?? 0)) return before;
    const after = judgeOwn(own.address, before, own.lists());
    this.#keep(own.address, before, after);
    return after;
  }

  /** Reason why sealing to an address is impossible now; null if possible. */
  findSealingProblem(address: string): UnverifiableError | null {
    return findSealingProblem(address, this.of(address));
  }

  /** Records a device's signed statement about its own newest list. */
  claim(address: string, deviceId: string, claim: { sequence: number; hash: string }): void {
    const before = this.of(address);
    this.#keep(address, before, withClaim(before, deviceId, claim));
  }

  /** Accepts lists from another device as proof. */
  addEvidence(address: string, lists: readonly DeviceList[]): void {
    const before = this.of(address);
    this.#keep(address, before, judgeEvidence(address, before, lists, this.#now()));
  }

  /** Applies the person's choice between two contradicting lists. */
  choose(address: string, hash: string): void {
    const before = this.of(address);
    this.#keep(address, before, choose(address, before, hash));
  }

  #keep(address: string, before: AddressTrust, after: AddressTrust): void {
    if (after !== before && JSON.stringify(after) !== JSON.stringify(before))
      this.#store.save(address, after);
  }

  /** The lists between the pinned and the shown ones, for addresses that are more than one ahead. */
  async #between(shown: readonly Shown[]): Promise<DeviceList[][]> {
    const found: DeviceList[][] = shown.map(() => []);
    let open = shown.flatMap(({ address, published }, index) => {
      const after = this.of(address).list?.sequence ?? 0;
      const upTo = (published?.deviceList.sequence ?? 0) - 1;
      if (after === 0 || upTo <= after || upTo - after > MAX_BETWEEN) return [];
      return [{ index, want: { address, after, upTo } }];
    });
    for (let call = 0; call < MAX_CALLS && open.length > 0; call++) {
      const batch = open.slice(0, WANTS);
      const answers = await this.#source.keyHistories(batch.map(({ want }) => want));
      // An answer without lists ends it: missing ones appear as a gap.
      if (answers.every(({ lists }) => lists.length === 0)) break;
      const again = batch.flatMap((each, position) => {
        const { lists = [], more = false } = answers[position] ?? {};
        found[each.index]?.push(...lists);
        const after = lists.at(-1)?.sequence ?? each.want.after;
        return more && after < each.want.upTo ? [{ ...each, want: { ...each.want, after } }] : [];
      });
      open = [...again, ...open.slice(WANTS)];
    }
    return found;
  }
}
