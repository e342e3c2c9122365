/** The keys of others for sealing: fetched, proven (key-trust.ts), and cached for a while. */
import { failedWith, isWithheld, UnverifiableError } from '../../base/failure.ts';
import { BoundedMap } from '../../protocol/bounded-map.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { RecipientKey } from '../../protocol/envelope.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { KeySource } from '../relay.ts';
import type { AddressTrust } from './address-trust.ts';
import type { Judgement } from './judge.ts';
import { inTransaction, KeyTrust, type OwnKnowledge, type Shown, type TrustStore } from './key-trust.ts';
import { PqKeys } from './pq-keys.ts';

/**
 * Maximum age of fetched keys for sending, in milliseconds. Receiving fetches again for any unknown device.
 */
export const KEYS_FRESH_FOR = 60_000;
/** Age up to which a list counts as new, in milliseconds. */
const LINKED_LATELY = 15 * 60_000;
/** Number of devices whose last settled statement is remembered. */
const MAX_SETTLED = 10_000;

/** An address as a recipient. */
export interface Recipient {
  address: string;
  /** The newest proven list; null for none. */
  deviceList: DeviceList | null;
  /** Of devices in `deviceList` only. */
  sealKeys: SealKey[];
}

/** Seal keys of an address, proven at fetch time. */
export interface FetchedKeys {
  sealKeys: SealKey[];
  /** Milliseconds since 1970. */
  at: number;
}

/** Storage of keys and trust. */
export interface KeyMemory extends TrustStore {
  /** Null if they were never fetched, or were forgotten: then they are fetched. */
  fetched(address: string): FetchedKeys | null;
  saveFetched(address: string, fetched: FetchedKeys): void;
}

export interface DirectoryParts {
  source: KeySource;
  memory: KeyMemory;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Null without a known own device list. */
  own: OwnKnowledge | null;
  /** Name of an address's owner in a sentence; null for oneself. Default: 'This person'. */
  nameOf?: ((address: string) => string | null) | undefined;
  /** Called with the judgement on the relay's answer. */
  onJudged?: ((shown: Shown, judgement: Judgement) => void) | undefined;
  /** Called after all judgements of one answer are stored. */
  onLearned?: (() => void) | undefined;
}

/** A member's proven keys, or the reason why sealing is impossible. */
export type Member = Recipient | { address: string; problem: UnverifiableError };

export class KeyDirectory {
  readonly #parts: DirectoryParts;
  readonly #trust: KeyTrust;
  readonly #pqKeys: PqKeys;
  /** Statements of devices about their newest list, after the relay has shown that list. */
  readonly #settled = new BoundedMap<string, string>(MAX_SETTLED);

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    const { source, memory, now, own } = parts;
    const store: TrustStore = {
      load: (address) => memory.load(address),
      save: (address, trust) => {
        const before = memory.load(address)?.list?.sequence;
        memory.save(address, trust);
        // Keys fetched with an older list may miss current devices.
        if (before !== trust.list?.sequence) this.#forgetKeys(address);
      },
      transaction: (work) => inTransaction(memory, work),
    };
    this.#trust = new KeyTrust(source, store, now, own);
    this.#pqKeys = new PqKeys(source);
  }

  /** Known data of an address, without calls. */
  known(address: string): Recipient {
    const deviceList = this.pinned(address);
    const listed = new Set(deviceList?.devices.map(({ deviceId }) => deviceId));
    const sealKeys = this.#parts.memory.fetched(address)?.sealKeys ?? [];
    return { address, deviceList, sealKeys: sealKeys.filter(({ deviceId }) => listed.has(deviceId)) };
  }

  /**
   * The relay's data of an address, no older than `freshFor` milliseconds. Check {@link findSealingProblem}
   * before sealing to it: {@link recipient} does both.
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

  /** A newly linked device publishes its key after the list: until then its keys are fetched each time. */
  #freshFor(address: string, { sealKeys }: FetchedKeys, requested: number): number {
    const list = this.pinned(address);
    const isNew = list !== null && this.#parts.now() - decodeTime(list.issued) < LINKED_LATELY;
    if (!isNew || requested === Number.POSITIVE_INFINITY) return requested;
    const withKey = new Set(sealKeys.map(({ deviceId }) => deviceId));
    const lacks = list.devices.some(({ type, deviceId }) => type === 'app' && !withKey.has(deviceId));
    return lacks ? 0 : requested;
  }

  /**
   * An address as a recipient, with all known devices.
   * @throws UnverifiableError while the relay does not show their newest devices; UnverifiableError,
   * RelayRefusal, RelayUnreachable
   */
  async recipient(address: string, freshFor = KEYS_FRESH_FOR): Promise<Recipient> {
    let found = await this.lookUp(address, freshFor);
    if (isWithheld(this.findSealingProblem(address))) found = await this.lookUp(address, 0);
    const problem = this.findSealingProblem(address);
    if (problem) throw problem;
    return found;
  }

  /**
   * Keys for the copies of recipients: for each address all of its seal keys in order, or the reason why
   * sealing is impossible.
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
   * Proves and stores the relay's data of addresses.
   * @returns for each, in order, the current knowledge, or the reason why the data does not count
   * @throws RelayRefusal, RelayUnreachable
   */
  async learn(shown: readonly Shown[]): Promise<(Recipient | UnverifiableError)[]> {
    const { memory, now, onJudged, onLearned } = this.#parts;
    const judgements = await this.#trust.learn(shown);
    const keep = (each: Shown, index: number) => {
      const judgement = judgements[index];
      if (!judgement) throw new Error('there is a judgement for each address');
      const { keys, problem } = judgement;
      const named = problem && this.#named(each.address, problem);
      if (!problem) memory.saveFetched(each.address, { sealKeys: keys?.sealKeys ?? [], at: now() });
      onJudged?.(each, { ...judgement, problem: named });
      return named ?? this.known(each.address);
    };
    const learned = inTransaction(memory, () => shown.map(keep));
    onLearned?.();
    return learned;
  }

  /** Known members, without calls. */
  members(addresses: readonly string[]): Member[] {
    return addresses.map((address) => {
      const problem = this.findSealingProblem(address);
      return problem ? { address, problem } : this.known(address);
    });
  }

  /**
   * Proves the relay's data of members, sent with a group.
   * @returns each of them, in the relay's order
   * @throws RelayRefusal, RelayUnreachable
   */
  async learnMembers(
    view: Pick<GroupView, 'members' | 'memberDevices' | 'memberProfiles'>,
  ): Promise<Member[]> {
    const learned = await this.learn(
      view.members.map((address) => {
        const published = view.memberDevices[address] ?? null;
        const profile = view.memberProfiles[address] ?? null;
        return { address, published: published && { ...published, profile } };
      }),
    );
    // The data just learned: storage may not have all keys of a large group.
    return learned.map((found, index): Member => {
      const address = view.members[index] ?? '';
      if (found instanceof Error) return { address, problem: found };
      const problem = this.findSealingProblem(address);
      return problem ? { address, problem } : found;
    });
  }

  /** Fetches the newest list of an address. Unproven data changes nothing. */
  async refresh(address: string): Promise<void> {
    try {
      await this.lookUp(address, 0);
    } catch (error) {
      if (!(error instanceof UnverifiableError)) throw error;
    }
  }

  /** Reason why sealing to an address is impossible now; null if possible. */
  findSealingProblem(address: string): UnverifiableError | null {
    const problem = this.#trust.findSealingProblem(address);
    return problem && this.#named(address, problem);
  }

  /** The problem, with the name of its person. */
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

  /** The newest proven device list of an address, regardless of the relay's answer; null for none. */
  pinned(address: string): DeviceList | null {
    return this.trustIn(address).list;
  }

  /** All stored trust of an address. */
  trustIn(address: string): AddressTrust {
    return this.#trust.of(address);
  }

  /**
   * Records a device's signed statement about its own newest list.
   * @returns whether the relay still has to show that list
   */
  claim(address: string, deviceId: string, list: { sequence: number; hash: string }): boolean {
    const device = `${address} ${deviceId}`;
    const version = `${list.sequence} ${list.hash}`;
    // Each message repeats it: a settled one is not looked up for every message of a backlog.
    if (this.#settled.get(device) === version) return false;
    this.#trust.claim(address, deviceId, list);
    if (this.#trust.findSealingProblem(address)) return true;
    this.#settled.set(device, version);
    return false;
  }

  /** Accepts lists from another device as proof that they exist. */
  addEvidence(address: string, lists: readonly DeviceList[]): void {
    if (lists.length > 0) this.#trust.addEvidence(address, lists);
  }

  /**
   * Applies the person's choice between two contradicting lists.
   * @param hash base64url of the chosen list; ignored if it is neither of the two
   */
  choose(address: string, hash: string): void {
    this.#trust.choose(address, hash);
    this.#forgetKeys(address);
  }

  #forgetKeys(address: string): void {
    this.#parts.memory.saveFetched(address, { sealKeys: [], at: 0 });
  }
}
