/**
 * What is known of people: fetched from the relay, proven (src/messaging/trust), and kept in the cache. The newest
 * device list that was proven is pinned there.
 */
import type { RelayApi } from '../client/api.ts';
import { KeysWithheldError, type UnverifiableError } from '../messaging/trust/errors.ts';
import type { Judgement, ProvenKeys } from '../messaging/trust/judge.ts';
import { KeyTrust } from '../messaging/trust/key-trust.ts';
import type { DeviceList, ListReference } from '../protocol/device-list.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { AddressKeys, HandleRecord } from '../protocol/schemas/directory.ts';
import type { Contact } from './cache/contacts.ts';
import type { Context } from './context.ts';

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

export class Directory {
  readonly #context: Context;
  readonly #relay: RelayApi;
  readonly #trust: KeyTrust;
  /** What devices said of their newest list, where the relay has shown that list. */
  readonly #settled = new RecentMap<string, string>(MOST_SETTLED);
  /** Why what the relay showed last of an address does not count, or not all of it. */
  readonly #problems = new RecentMap<string, string>(MOST_PROBLEMS);

  /** @param own the person's address */
  constructor(context: Context, relay: RelayApi, own: string) {
    const { contacts, identity, now } = context;
    this.#context = context;
    this.#relay = relay;
    const store = {
      load: (address: string) => contacts.trust(address),
      save: (address: string, trust: Parameters<typeof contacts.saveTrust>[1]) =>
        contacts.saveTrust(address, trust, now()),
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
    return this.#trust.findSealingProblem(address);
  }

  /**
   * Remembers what the relay shows of addresses, as far as it proves itself.
   * @returns for each, in order, the contact, or why what is shown does not count
   * @throws RelayRefusal, RelayUnreachable
   */
  async learn(shown: readonly ShownContact[]): Promise<(Contact | UnverifiableError)[]> {
    const { contacts } = this.#context;
    const before = shown.map(({ address }) => contacts.find(address)?.deviceList ?? null);
    const judgements = await this.#trust.learn(shown);
    return shown.map((each, index) => {
      const judgement = judgements[index];
      if (!judgement) throw new Error('there is a judgement for each address');
      return this.#remember(each, before[index] ?? null, judgement);
    });
  }

  #remember(
    { address, published }: ShownContact,
    before: DeviceList | null,
    { keys, problem, outdated }: Judgement,
  ): Contact | UnverifiableError {
    const { contacts, conversations, emit, now, transaction } = this.#context;
    const contact = contacts.ensure(address, now());
    const shownProblem = problem?.message ?? (outdated.length > 0 ? OUTDATED : null);
    if (shownProblem === null) this.#problems.delete(address);
    else this.#problems.set(address, shownProblem);
    if (problem) return problem;
    if (!keys) return contact;
    const changed = before !== null && devicesDiffer(before, keys.deviceList);
    transaction(() => {
      contacts.saveSealKeys(address, keys.sealKeys, now());
      if (published?.profile?.address === address) contacts.saveProfile(published.profile);
      if (changed) conversations.setDevicesChanged(contact.id, now());
    });
    const conversation = changed ? conversations.findByContact(contact.id) : null;
    if (conversation) emit('conversations.changed', { ids: [String(conversation.id)] });
    return contacts.ensure(address, now());
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
  forkOf(address: string): { known: DeviceList; other: DeviceList } | null {
    const { list, fork } = this.#trust.of(address);
    return list && fork ? { known: list, other: fork } : null;
  }

  /** The person chose between two contradicting lists. @param hash base64url of the one that counts from now on */
  choose(address: string, hash: string): void {
    this.#trust.choose(address, hash);
    this.#context.contacts.saveSealKeys(address, [], 0);
  }

  /** Why what the relay showed last of an address does not count, as a sentence; null if nothing is wrong. */
  problemOf(address: string): string | null {
    return this.findSealingProblem(address)?.message ?? this.#problems.get(address) ?? null;
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
    contacts.saveProfile(record);
    return contacts.ensure(record.address, now());
  }
}

const OUTDATED = 'The server showed an old key of one of their devices. It was skipped.';

function devicesDiffer(before: DeviceList, after: DeviceList): boolean {
  const ids = (list: DeviceList) =>
    list.devices
      .map(({ deviceId }) => deviceId)
      .sort()
      .join();
  return ids(before) !== ids(after);
}
