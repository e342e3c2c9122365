/**
 * What is known of people: fetched from the relay, proven (src/messaging/trust), and kept in the cache. The newest
 * device list that was proven is pinned there.
 */
import type { RelayApi } from '../client/api.ts';
import { type AddressTrust, hashOf, newestSealKeyAt } from '../messaging/trust/address-trust.ts';
import { ForkError, KeysWithheldError, type UnverifiableError } from '../messaging/trust/errors.ts';
import { findSealingProblem, type Judgement, type ProvenKeys } from '../messaging/trust/judge.ts';
import { KeyTrust } from '../messaging/trust/key-trust.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import type { DeviceList, ListReference } from '../protocol/device-list.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { AddressKeys, HandleRecord } from '../protocol/schemas/directory.ts';
import type { Contact } from './cache/contacts.ts';
import type { DevicesChange } from './cache/conversations.ts';
import type { Context } from './context.ts';
import { personName } from './person-name.ts';

/** How long fetched keys are good for sending, in milliseconds. Receiving fetches anew whenever a device is unknown. */
export const KEYS_FRESH_FOR = 60_000;
/** Devices whose last word on their list is remembered as settled. */
const MOST_SETTLED = 10_000;
/** Addresses whose last problem is remembered. */
const MOST_PROBLEMS = 10_000;

/** What the relay shows of an address, in a call of its own or beside a group; unproven. */
export interface ShownContact {
  address: string;
  /** Null if the relay shows nothing. */
  published: (ProvenKeys & Pick<AddressKeys, 'profile'>) | null;
}

/** One of two lists of an address that contradict each other. */
export interface ForkSide {
  list: DeviceList;
  /** Of its text, base64url. */
  hash: string;
  /** Whether it is the one that the relay showed last. */
  isShown: boolean;
}

/** Why an address cannot be sealed to, or not to all of it, as a person is told. */
export interface DirectoryProblem {
  /**
   * 'waiting': their newest devices are not shown; that may pass. 'fork': the person has to choose. 'unproven': what the
   * relay shows does not prove itself. 'old-key': an old key was shown and skipped; the others are used.
   */
  kind: 'waiting' | 'fork' | 'unproven' | 'old-key';
  /** A sentence. */
  text: string;
}

export class Directory {
  readonly #context: Context;
  readonly #relay: RelayApi;
  readonly #trust: KeyTrust;
  /** What devices said of their newest list, where the relay has shown that list. */
  readonly #settled = new RecentMap<string, string>(MOST_SETTLED);
  readonly #onSettled: (address: string) => void;
  /** Why what the relay showed last of an address does not count, or not all of it. */
  readonly #problems = new RecentMap<string, DirectoryProblem>(MOST_PROBLEMS);

  /**
   * @param own the person's address
   * @param onSettled called when an address can be sealed to again
   */
  constructor(
    context: Context,
    relay: RelayApi,
    own: string,
    onSettled: (address: string) => void = () => undefined,
  ) {
    const { contacts, identity, now } = context;
    this.#context = context;
    this.#relay = relay;
    this.#onSettled = onSettled;
    const store = {
      load: (address: string) => contacts.trust(address),
      save: (address: string, trust: AddressTrust) => this.#save(address, trust),
    };
    const lists = { newest: () => identity.newestList(), lists: () => identity.lists() };
    this.#trust = new KeyTrust(relay, store, now, { address: own, ...lists });
  }

  /**
   * A contact with keys not older than `freshFor`, fetched and proven if need be.
   * `deviceList` is null if the address has no devices.
   * @throws UnverifiableError if the relay's answer does not prove itself; RelayRefusal, RelayUnreachable
   */
  async contact(address: string, freshFor = KEYS_FRESH_FOR): Promise<Contact> {
    const { contacts, now } = this.#context;
    const known = contacts.find(address);
    if (known && now() - known.fetchedAt < freshFor) return known;
    const [contact] = await this.learn([{ address, published: await this.#relay.keys(address) }]);
    if (!contact || contact instanceof Error) throw contact;
    return contact;
  }

  /**
   * A contact to seal to, with all that is known of their devices.
   * @throws KeysWithheldError while the relay does not show their newest devices; UnverifiableError, RelayRefusal,
   *   RelayUnreachable
   */
  async recipient(address: string, freshFor = KEYS_FRESH_FOR): Promise<Contact> {
    let contact = await this.contact(address, freshFor);
    if (this.findSealingProblem(address) instanceof KeysWithheldError) {
      contact = await this.contact(address, 0);
    }
    const problem = this.findSealingProblem(address);
    if (problem) throw problem;
    return contact;
  }

  /** Why nothing may be sealed to an address now; null if something may. */
  findSealingProblem(address: string): UnverifiableError | null {
    const problem = this.#trust.findSealingProblem(address);
    return problem && this.#named(address, problem);
  }

  /**
   * Remembers what the relay shows of addresses, as far as it proves itself.
   * @returns for each, in order, the contact, or why what is shown does not count
   * @throws RelayRefusal, RelayUnreachable
   */
  async learn(shown: readonly ShownContact[]): Promise<(Contact | UnverifiableError)[]> {
    const judgements = await this.#trust.learn(shown);
    return shown.map((each, index) => {
      const judgement = judgements[index];
      if (!judgement) throw new Error('there is a judgement for each address');
      return this.#remember(each, judgement);
    });
  }

  #remember(
    { address, published }: ShownContact,
    { keys, problem, outdated }: Judgement,
  ): Contact | UnverifiableError {
    const { contacts, now, transaction } = this.#context;
    const contact = contacts.ensure(address, now());
    const named = problem && this.#named(address, problem);
    const before = this.#problems.get(address);
    if (named) this.#problems.set(address, told(named));
    else if (outdated.length > 0) this.#problems.set(address, { kind: 'old-key', text: OUTDATED });
    else this.#problems.delete(address);
    if (this.#problems.get(address)?.text !== before?.text) this.#tellPeople([address]);
    if (named) return named;
    if (!keys) return contact;
    const renamed = transaction(() => {
      contacts.saveSealKeys(address, keys.sealKeys, now());
      return published?.profile?.address === address ? contacts.saveProfile(published.profile) : [];
    });
    this.#tellRenamed(renamed);
    return contacts.ensure(address, now());
  }

  /** Keeps what is known of an address, and tells what that changes for the person. */
  #save(address: string, trust: AddressTrust): void {
    const { contacts, conversations, now, transaction } = this.#context;
    const before = contacts.trust(address);
    const change = changeBetween(before?.list ?? null, trust.list);
    const was = before && findSealingProblem(address, before);
    const is = findSealingProblem(address, trust);
    transaction(() => {
      contacts.saveTrust(address, trust, now());
      if (change) conversations.addDevicesChange(contacts.ensure(address, now()).id, change, now());
    });
    this.#tellPeople([address]);
    if (change) this.#tellRows([address]);
    if (was && !is) this.#onSettled(address);
  }

  /** Tells that more, less or something else is known of people. */
  #tellPeople(addresses: readonly string[]): void {
    this.#context.emit('people.changed', { addresses: addresses.map(toChecksumAddress) });
  }

  /** Tells that the conversations with people changed. */
  #tellRows(addresses: readonly string[]): void {
    const { contacts, conversations, emit } = this.#context;
    const ids = addresses.flatMap((address) => {
      const contact = contacts.find(address);
      const conversation = contact && conversations.findByContact(contact.id);
      return conversation ? [String(conversation.id)] : [];
    });
    if (ids.length > 0) emit('conversations.changed', { ids });
  }

  #tellRenamed(addresses: readonly string[]): void {
    if (addresses.length === 0) return;
    this.#tellPeople(addresses);
    this.#tellRows(addresses);
  }

  /** The problem in a sentence that says whose it is. */
  #named(address: string, problem: UnverifiableError): UnverifiableError {
    const { contacts, identity } = this.#context;
    const isOwn = address === identity.get()?.address;
    const who = isOwn ? null : personName(contacts.profile(address));
    if (problem instanceof KeysWithheldError) return new KeysWithheldError(who);
    return problem instanceof ForkError ? new ForkError(who) : problem;
  }

  /**
   * Notes what the signed words of a device say of its own newest list.
   * @returns whether the relay still has to show that list
   */
  claim(address: string, deviceId: string, list: ListReference): boolean {
    const device = `${address} ${deviceId}`;
    const said = `${list.sequence} ${list.hash}`;
    // Each message says it again: what was settled once is not looked up for every message of a backlog.
    if (this.#settled.get(device) === said) return false;
    this.#trust.claim(address, deviceId, list);
    if (this.findSealingProblem(address)) return true;
    this.#settled.set(device, said);
    return false;
  }

  /** The newest device list proven of an address; null if none was. */
  pinned(address: string): DeviceList | null {
    return this.#trust.of(address).list;
  }

  /** Takes lists that another person's device handed over as proof that they exist. */
  takeEvidence(address: string, lists: readonly DeviceList[]): void {
    const before = this.#trust.of(address).list?.sequence;
    this.#trust.takeEvidence(address, lists);
    // Keys that were fetched for an older list are good for nothing any more.
    if (this.#trust.of(address).list?.sequence !== before)
      this.#context.contacts.saveSealKeys(address, [], 0);
  }

  /** The two lists of an address that contradict each other, both signed; null if none do. */
  forkOf(address: string): { known: ForkSide; other: ForkSide } | null {
    const { list, fork, shown } = this.#trust.of(address);
    if (!list || !fork) return null;
    const sideOf = (each: DeviceList): ForkSide => {
      const hash = hashOf(address, each);
      return { list: each, hash, isShown: hash === shown };
    };
    return { known: sideOf(list), other: sideOf(fork) };
  }

  /** When the newest seal key of an address was made, in milliseconds since 1970; null if none was seen. */
  lastSeenAt(address: string): number | null {
    return newestSealKeyAt(this.#trust.of(address));
  }

  /**
   * The person chose between two contradicting lists.
   * @param hash base64url of the one that counts from now on; another than the two changes nothing
   */
  choose(address: string, hash: string): void {
    this.#trust.choose(address, hash);
    this.#problems.delete(address);
    this.#context.contacts.saveSealKeys(address, [], 0);
  }

  /** Why what the relay showed last of an address does not count; null if nothing is wrong. */
  problemOf(address: string): DirectoryProblem | null {
    const problem = this.findSealingProblem(address);
    return problem ? told(problem) : (this.#problems.get(address) ?? null);
  }

  /**
   * Fetches what the directory says about a handle and remembers it.
   * @returns null if nobody has the handle
   */
  async contactByHandle(handle: string): Promise<Contact | null> {
    const record: HandleRecord | null = await this.#relay.handle(handle);
    if (!record) return null;
    const { contacts, now } = this.#context;
    contacts.ensure(record.address, now());
    this.#tellRenamed(contacts.saveProfile(record));
    return contacts.ensure(record.address, now());
  }
}

const OUTDATED = 'The server showed an old key of one of their devices. It was skipped.';

function told(problem: UnverifiableError): DirectoryProblem {
  const { message: text } = problem;
  if (problem instanceof KeysWithheldError) return { kind: 'waiting', text };
  return { kind: problem instanceof ForkError ? 'fork' : 'unproven', text };
}

/** How many devices came and went; null if none did, or if nothing was known before. */
function changeBetween(before: DeviceList | null, after: DeviceList | null): DevicesChange | null {
  if (!before || !after) return null;
  const idsOf = (list: DeviceList) => new Set(list.devices.map(({ deviceId }) => deviceId));
  const [old, current] = [idsOf(before), idsOf(after)];
  const added = current.difference(old).size;
  const removed = old.difference(current).size;
  return added + removed > 0 ? { added, removed } : null;
}
