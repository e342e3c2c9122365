/**
 * The keys of others, to seal to: asked for, proven (key-trust.ts), and good for a while.
 */
import { failedWith, isWithheld, UnverifiableError } from '../../base/failure.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { RecipientKey } from '../../protocol/envelope.ts';
import { RecentMap } from '../../protocol/recent-map.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { KeySource } from '../relay.ts';
import type { AddressTrust } from './address-trust.ts';
import type { Judgement } from './judge.ts';
import { KeyTrust, type OwnKnowledge, type Shown, type TrustStore } from './key-trust.ts';
import { PqKeys } from './pq-keys.ts';

/** How long fetched keys are good for sending, in milliseconds. Receiving asks again whenever a device is unknown. */
export const KEYS_FRESH_FOR = 60_000;
/** A list is new for so long, in milliseconds. */
const LINKED_LATELY = 15 * 60_000;
/** Devices whose last word on their list is remembered as settled. */
const MOST_SETTLED = 10_000;

/** An address that can be sealed to. */
export interface Recipient {
  address: string;
  /** The newest that was proven; null if none was. */
  deviceList: DeviceList | null;
  /** Of devices in `deviceList` alone. */
  sealKeys: SealKey[];
}

/** Seal keys of an address, proven when they were fetched. */
export interface FetchedKeys {
  sealKeys: SealKey[];
  /** Milliseconds since 1970. */
  at: number;
}

/** Where keys and the trust in them are kept. */
export interface KeyMemory extends TrustStore {
  /** Null if none were fetched, or they were forgotten: then they are asked for. */
  fetched(address: string): FetchedKeys | null;
  saveFetched(address: string, fetched: FetchedKeys): void;
}

export interface DirectoryParts {
  source: KeySource;
  memory: KeyMemory;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Null where no device list of one's own is known. */
  own: OwnKnowledge | null;
  /** The owner of an address as they are called in a sentence; null for oneself. 'This person' of all unless given. */
  nameOf?: ((address: string) => string | null) | undefined;
  /** Told what became of what the relay showed. */
  onJudged?: ((shown: Shown, judgement: Judgement) => void) | undefined;
}

/** What is proven of a member of a group, or why nothing may be sealed to them. */
export type Member = Recipient | { address: string; problem: UnverifiableError };

export class KeyDirectory {
  readonly #parts: DirectoryParts;
  readonly #trust: KeyTrust;
  readonly #pqKeys: PqKeys;
  /** What devices said of their newest list, where the relay has shown that list. */
  readonly #settled = new RecentMap<string, string>(MOST_SETTLED);

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    const { source, memory, now, own } = parts;
    const store: TrustStore = {
      load: (address) => memory.load(address),
      save: (address, trust) => {
        const before = memory.load(address)?.list?.sequence;
        memory.save(address, trust);
        // Keys that were fetched beside an older list are not those of all devices of now.
        if (before !== trust.list?.sequence) this.#forgetKeys(address);
      },
    };
    this.#trust = new KeyTrust(source, store, now, own);
    this.#pqKeys = new PqKeys(source);
  }

  /** What is known of an address, without asking. */
  known(address: string): Recipient {
    const deviceList = this.pinned(address);
    const listed = new Set(deviceList?.devices.map(({ deviceId }) => deviceId));
    const sealKeys = this.#parts.memory.fetched(address)?.sealKeys ?? [];
    return { address, deviceList, sealKeys: sealKeys.filter(({ deviceId }) => listed.has(deviceId)) };
  }

  /**
   * What the relay shows of an address, not older than `freshFor` milliseconds. Nothing may be sealed to it before
   * {@link findSealingProblem} was asked: {@link recipient} does both.
   * @throws UnverifiableError if the relay's answer does not prove itself; RelayRefusal, RelayUnreachable
   */
  async lookUp(address: string, freshFor = KEYS_FRESH_FOR): Promise<Recipient> {
    const fetched = this.#parts.memory.fetched(address);
    if (fetched && this.#parts.now() - fetched.at < this.#freshFor(address, fetched, freshFor))
      return this.known(address);
    const [found] = await this.learn([{ address, published: await this.#parts.source.keys(address) }]);
    if (found instanceof Error) throw found;
    return found ?? this.known(address);
  }

  /** A device that was linked a moment ago publishes its key after it is in the list: until then it is asked for each time. */
  #freshFor(address: string, { sealKeys }: FetchedKeys, asked: number): number {
    const list = this.pinned(address);
    const isNew = list !== null && this.#parts.now() - decodeTime(list.issued) < LINKED_LATELY;
    if (!isNew || asked === Number.POSITIVE_INFINITY) return asked;
    const withKey = new Set(sealKeys.map(({ deviceId }) => deviceId));
    const lacks = list.devices.some(({ type, deviceId }) => type === 'app' && !withKey.has(deviceId));
    return lacks ? 0 : asked;
  }

  /**
   * An address to seal to, with all that is known of its devices.
   * @throws UnverifiableError while the relay does not show their newest devices; UnverifiableError, RelayRefusal,
   *   RelayUnreachable
   */
  async recipient(address: string, freshFor = KEYS_FRESH_FOR): Promise<Recipient> {
    let found = await this.lookUp(address, freshFor);
    if (isWithheld(this.findSealingProblem(address))) found = await this.lookUp(address, 0);
    const problem = this.findSealingProblem(address);
    if (problem) throw problem;
    return found;
  }

  /**
   * What copies for the devices of addresses are sealed to: of each address for all of its seal keys, in their order, or
   * why nothing may be sealed to it.
   * @throws RelayRefusal, RelayUnreachable
   */
  async recipientKeys(recipients: readonly Recipient[]): Promise<(RecipientKey[] | UnverifiableError)[]> {
    const found = await this.#pqKeys.recipientKeys(recipients.flatMap(({ sealKeys }) => sealKeys));
    return recipients.map(({ address, sealKeys }) => {
      const keys = sealKeys.flatMap((sealKey) => found.get(sealKey) ?? []);
      if (keys.length === sealKeys.length) return keys;
      return this.#named(address, new UnverifiableError('keys_withheld', { who: '' }));
    });
  }

  /**
   * Proves what the relay showed of addresses, here or beside a group, and remembers it.
   * @returns for each, in order, what is known now, or why what was shown does not count
   * @throws RelayRefusal, RelayUnreachable
   */
  async learn(shown: readonly Shown[]): Promise<(Recipient | UnverifiableError)[]> {
    const { memory, now, onJudged } = this.#parts;
    const judgements = await this.#trust.learn(shown);
    return shown.map((each, index) => {
      const judgement = judgements[index];
      if (!judgement) throw new Error('there is a judgement for each address');
      const { keys, problem } = judgement;
      const named = problem && this.#named(each.address, problem);
      if (!problem) memory.saveFetched(each.address, { sealKeys: keys?.sealKeys ?? [], at: now() });
      onJudged?.(each, { ...judgement, problem: named });
      return named ?? this.known(each.address);
    });
  }

  /** What is known of members, without asking. */
  members(addresses: readonly string[]): Member[] {
    return addresses.map((address) => {
      const problem = this.findSealingProblem(address);
      return problem ? { address, problem } : this.known(address);
    });
  }

  /**
   * Proves what the relay shows of the members of a group, beside the group.
   * @returns each of them, in the relay's order
   * @throws RelayRefusal, RelayUnreachable
   */
  async learnMembers(
    view: Pick<GroupView, 'members' | 'memberDevices' | 'memberProfiles'>,
  ): Promise<Member[]> {
    const learned = await this.learn(
      view.members.map((address) => {
        const published = view.memberDevices[address] ?? null;
        return { address, published: published && { ...published, profile: view.memberProfiles[address] } };
      }),
    );
    // What was learnt just now, and not what is at hand: of a large group a memory may not keep all keys.
    return learned.map((found, index): Member => {
      const address = view.members[index] ?? '';
      if (found instanceof Error) return { address, problem: found };
      const problem = this.findSealingProblem(address);
      return problem ? { address, problem } : found;
    });
  }

  /** Asks the relay for the newest list of an address; what it shows instead and does not prove itself changes nothing. */
  async refresh(address: string): Promise<void> {
    try {
      await this.lookUp(address, 0);
    } catch (error) {
      if (!(error instanceof UnverifiableError)) throw error;
    }
  }

  /** Why nothing may be sealed to an address now; null if something may. */
  findSealingProblem(address: string): UnverifiableError | null {
    const problem = this.#trust.findSealingProblem(address);
    return problem && this.#named(address, problem);
  }

  /** The problem with the name of the person whose it is. */
  #named(address: string, problem: UnverifiableError): UnverifiableError {
    const { nameOf } = this.#parts;
    if (!nameOf) return problem;
    const who = nameOf(address);
    if (isWithheld(problem)) {
      return who === null
        ? new UnverifiableError('own_keys_withheld')
        : new UnverifiableError('keys_withheld', { who });
    }
    if (!failedWith(problem, 'lists_differ', 'own_lists_differ')) return problem;
    return who === null
      ? new UnverifiableError('own_lists_differ')
      : new UnverifiableError('lists_differ', { who });
  }

  /** The newest device list proven of an address, whatever the relay shows; null if there is none. */
  pinned(address: string): DeviceList | null {
    return this.trustIn(address).list;
  }

  /** All that is remembered of an address. */
  trustIn(address: string): AddressTrust {
    return this.#trust.of(address);
  }

  /**
   * Notes what the signed words of a device say of its own newest list.
   * @returns whether the relay still has to show that list
   */
  claim(address: string, deviceId: string, list: { sequence: number; hash: string }): boolean {
    const device = `${address} ${deviceId}`;
    const said = `${list.sequence} ${list.hash}`;
    // Each message says it again: what was settled once is not looked up for every message of a backlog.
    if (this.#settled.get(device) === said) return false;
    this.#trust.claim(address, deviceId, list);
    if (this.#trust.findSealingProblem(address)) return true;
    this.#settled.set(device, said);
    return false;
  }

  /** Takes lists that another device handed over as proof that they exist. */
  takeEvidence(address: string, lists: readonly DeviceList[]): void {
    if (lists.length > 0) this.#trust.takeEvidence(address, lists);
  }

  /**
   * The person chose between two lists that contradict each other.
   * @param hash base64url of the one that counts from now on; another than the two changes nothing
   */
  choose(address: string, hash: string): void {
    this.#trust.choose(address, hash);
    this.#forgetKeys(address);
  }

  #forgetKeys(address: string): void {
    this.#parts.memory.saveFetched(address, { sealKeys: [], at: 0 });
  }
}
