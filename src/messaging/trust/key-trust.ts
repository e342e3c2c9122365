/**
 * The keys of others, proven before they are used. What the relay shows counts as far as wallets and devices signed it
 * and as far as it follows what was seen before; the lists between are asked for and verified.
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

/** Lists that are fetched to catch up with one address: years of changes. A relay that wants more of us is not followed. */
const MOST_BETWEEN = 1_000;
/** Wants in one call, as the relay takes them. */
const WANTS = 200;
/** Calls for one catching up. A relay that hands out its lists one by one is not asked for ever. */
const MOST_CALLS = 50;

/** Where trust is kept. Every save must be durable when the call returns. */
export interface TrustStore {
  load(address: string): AddressTrust | null;
  save(address: string, trust: AddressTrust): void;
}

/** The own address, and every own list that this device knows, ascending: first-hand, whatever the relay shows. */
export interface OwnKnowledge {
  address: string;
  newest(): DeviceList | null;
  lists(): readonly DeviceList[];
}

/** What the relay shows of an address, in a call of its own or beside a group. */
export interface Shown {
  address: string;
  /** Null if nothing. */
  published: (ProvenKeys & { profile?: HandleRecord | null | undefined }) | null;
}

export class KeyTrust {
  readonly #source: Pick<KeySource, 'keyHistories'>;
  readonly #store: TrustStore;
  readonly #now: () => number;
  readonly #own: OwnKnowledge | null;

  /**
   * @param now milliseconds since 1970
   * @param own null where the caller knows no lists of its own
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
   * Judges what the relay shows of addresses, in a call of its own or beside a group, and remembers it. The lists
   * between those pinned and those shown are fetched.
   * @returns one judgement for each, in order
   * @throws what the source throws
   */
  async learn(shown: readonly Shown[]): Promise<Judgement[]> {
    const between = await this.#between(shown);
    return shown.map(({ address, published }, index) => {
      const before = this.of(address);
      const sequence = before.list?.sequence ?? 0;
      // The pin may have moved while the relay was asked.
      const missing = (between[index] ?? []).filter((list) => list.sequence > sequence);
      const judgement = judgeShown(address, before, published, missing, this.#now());
      this.#keep(address, before, judgement.trust);
      return judgement;
    });
  }

  /** What is remembered of an address. */
  of(address: string): AddressTrust {
    const trust = this.#store.load(address) ?? NOTHING_KNOWN;
    return this.#own?.address === address ? this.#withOwnLists(this.#own, trust) : trust;
  }

  /** A device that was taken out of the own list here gets nothing, though the relay still shows the list before. */
  #withOwnLists(own: OwnKnowledge, before: AddressTrust): AddressTrust {
    if ((own.newest()?.sequence ?? 0) <= (before.list?.sequence ?? 0)) return before;
    const after = judgeOwn(own.address, before, own.lists());
    this.#keep(own.address, before, after);
    return after;
  }

  /** Why nothing may be sealed to an address now; null if something may. */
  findSealingProblem(address: string): UnverifiableError | null {
    return findSealingProblem(address, this.of(address));
  }

  /** Notes what signed words of a device say of its own newest list. */
  claim(address: string, deviceId: string, claim: { sequence: number; hash: string }): void {
    const before = this.of(address);
    this.#keep(address, before, withClaim(before, deviceId, claim));
  }

  /** Takes lists that another device handed over as proof. */
  takeEvidence(address: string, lists: readonly DeviceList[]): void {
    const before = this.of(address);
    this.#keep(address, before, judgeEvidence(address, before, lists, this.#now()));
  }

  /** The person chose between two contradicting lists. */
  choose(address: string, hash: string): void {
    const before = this.of(address);
    this.#keep(address, before, choose(address, before, hash));
  }

  #keep(address: string, before: AddressTrust, after: AddressTrust): void {
    if (after !== before && JSON.stringify(after) !== JSON.stringify(before))
      this.#store.save(address, after);
  }

  /** The lists between what is pinned and what is shown, of those that are more than one ahead. */
  async #between(shown: readonly Shown[]): Promise<DeviceList[][]> {
    const found: DeviceList[][] = shown.map(() => []);
    let open = shown.flatMap(({ address, published }, index) => {
      const after = this.of(address).list?.sequence ?? 0;
      const upTo = (published?.deviceList.sequence ?? 0) - 1;
      if (after === 0 || upTo <= after || upTo - after > MOST_BETWEEN) return [];
      return [{ index, want: { address, after, upTo } }];
    });
    for (let call = 0; call < MOST_CALLS && open.length > 0; call++) {
      const asked = open.slice(0, WANTS);
      const answers = await this.#source.keyHistories(asked.map(({ want }) => want));
      // An answer without any list ends it: what is missing shows as a gap.
      if (answers.every(({ lists }) => lists.length === 0)) break;
      const again = asked.flatMap((each, position) => {
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
