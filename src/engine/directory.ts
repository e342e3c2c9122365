/**
 * The directory of people: fetched from the relay, proven (src/messaging/trust) and cached. The newest proven
 * device list is pinned.
 */

import { isDeepStrictEqual } from 'node:util';
import { type FailureData, failedWith, isWithheld, type UnverifiableError } from '../base/failure.ts';
import type { RelayApi } from '../client/api.ts';
import {
  type AddressTrust,
  hashOf,
  NOTHING_KNOWN,
  newestSealKeyAt,
} from '../messaging/trust/address-trust.ts';
import { KEYS_FRESH_FOR, KeyDirectory } from '../messaging/trust/directory.ts';
import { findSealingProblem, type Judgement, judgeShown } from '../messaging/trust/judge.ts';
import type { Shown } from '../messaging/trust/key-trust.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { DeviceList } from '../protocol/device-list.ts';
import type { HandleRecord } from '../protocol/schemas/directory.ts';
import type { Contact } from './cache/contacts.ts';
import type { DevicesChange } from './cache/conversations.ts';
import type { Context } from './context.ts';
import { reportDevices } from './report-devices.ts';
import { personName } from './views/person-name.ts';

/** Number of addresses whose last problem is remembered. */
const MAX_PROBLEMS = 10_000;

/** One of two lists of an address that contradict each other. */
export interface ForkSide {
  list: DeviceList;
  /** Hash of its text, base64url. */
  hash: string;
  /** True if the relay showed it last. */
  isShown: boolean;
}

/** The reason why messages to an address cannot be sealed for all its devices, for the person. */
export interface DirectoryProblem {
  /**
   * 'waiting': the newest devices are not shown, which may be transient. 'fork': the person has to choose.
   * 'unproven': the relay's answer does not prove itself. 'old-key': an old key was skipped; the others are
   * used.
   */
  kind: 'waiting' | 'fork' | 'unproven' | 'old-key';
  failure: FailureData;
}

export class Directory {
  /** The keys for sealing, and the trust in them. */
  readonly keys: KeyDirectory;
  readonly #context: Context;
  readonly #relay: RelayApi;
  readonly #onSettled: (address: string) => void;
  readonly #onOwnProfile: () => void;
  readonly #onOwnList: () => void;
  /** Reasons why the relay's last answer about an address does not count, or only in part. */
  readonly #problems = new BoundedMap<string, DirectoryProblem>(MAX_PROBLEMS);
  /** People with another name since the begin of an answer: each one is shown in all groups. */
  readonly #renamed: string[] = [];

  /**
   * @param own the person's address
   * @param events onSettled: called when an address can be sealed to again. onOwnProfile: called when the relay shows
   * another handle or name of the person, such as one that a program of theirs has set. onOwnList: called for a newer own list
   * than the account has adopted
   */
  constructor(
    context: Context,
    relay: RelayApi,
    own: string,
    events: { onSettled?: (address: string) => void; onOwnProfile?: () => void; onOwnList?: () => void } = {},
  ) {
    const { contacts, identity, now } = context;
    this.#context = context;
    this.#relay = relay;
    this.#onSettled = events.onSettled ?? (() => undefined);
    this.#onOwnProfile = events.onOwnProfile ?? (() => undefined);
    this.#onOwnList = events.onOwnList ?? (() => undefined);
    this.keys = new KeyDirectory({
      source: relay,
      memory: {
        load: (address) => contacts.trust(address),
        save: (address, trust) => this.#save(address, trust),
        fetched: (address) => contacts.fetchedKeys(address),
        saveFetched: (address, fetched) => contacts.saveSealKeys(address, fetched),
        transaction: (work) => context.transaction(work),
      },
      now,
      own: { address: own, newest: () => identity.newestList(), lists: () => identity.lists() },
      nameOf: (address) => (address === own ? null : personName(contacts.profile(address))),
      onJudged: (shown, judgement) => this.#judged(shown, judgement),
      onLearned: () => this.#reportRenamed(this.#renamed.splice(0)),
    });
  }

  /**
   * The contact of an address, with keys no older than `freshFor`. They are fetched and proven if needed.
   * Call `keys` before sending to it.
   * @throws UnverifiableError if the relay's answer does not prove itself; RelayRefusal, RelayUnreachable
   */
  async contact(address: string, freshFor = KEYS_FRESH_FOR): Promise<Contact> {
    await this.keys.lookUp(address, freshFor);
    return this.#context.contacts.ensure(address, this.#context.now());
  }

  #judged({ address, published }: Shown, { problem, outdated }: Judgement): void {
    const { contacts, now } = this.#context;
    contacts.ensure(address, now());
    const before = this.#problems.get(address);
    if (problem) this.#problems.set(address, describeProblem(problem));
    else if (outdated.length > 0) this.#problems.set(address, { kind: 'old-key', failure: OUTDATED });
    else this.#problems.delete(address);
    if (!isDeepStrictEqual(this.#problems.get(address), before)) this.#emitPeople([address]);
    // No account, or none with a public handle. Also where the rest of the answer does not prove itself.
    if (published === null || published.profile === null)
      this.#renamed.push(...contacts.loseHandleOf(address));
    if (problem || published?.profile?.address !== address) return;
    this.#renamed.push(...this.#saveProfile(published.profile));
  }

  /**
   * Stores the directory's answer about a handle. The own row follows the identity, which agrees with the relay by a check.
   * @returns addresses of the people with another name now
   */
  #saveProfile(shown: HandleRecord, isRequested = false): string[] {
    const { contacts, identity } = this.#context;
    const { address } = shown;
    if (identity.get()?.address !== address) return contacts.saveProfile(shown, isRequested);
    const { handle, displayName } = identity.profile();
    const verified = shown.verified && shown.handle === handle;
    const renamed = handle === null ? [] : contacts.saveOwn({ address, handle, displayName, verified });
    if (shown.handle !== handle || shown.displayName !== displayName) this.#onOwnProfile();
    return renamed;
  }

  /** Stores the trust in an address, and emits the changes for the person. */
  #save(address: string, trust: AddressTrust): void {
    const { contacts, conversations, identity, now, ownDevices, transaction } = this.#context;
    const before = contacts.trust(address);
    const isOwn = address === identity.get()?.address;
    const deviceId = identity.deviceId();
    const change = changeBetween(before?.list ?? null, trust.list);
    const was = before && findSealingProblem(address, before);
    const is = findSealingProblem(address, trust);
    transaction(() => {
      contacts.saveTrust(address, trust, now());
      if (isOwn && trust.list && deviceId !== null) ownDevices.see([trust.list], deviceId, now());
      if (change && !isOwn) conversations.addDevicesChange(contacts.ensure(address, now()).id, change, now());
    });
    this.#emitPeople([address]);
    if (change) this.#emitRows([address]);
    if (change && isOwn) reportDevices(this.#context);
    // The account's own check adopts it.
    if (isOwn && (trust.list?.sequence ?? 0) > (identity.newestList()?.sequence ?? 0)) this.#onOwnList();
    if (was && !is) this.#onSettled(address);
  }

  /** Emits that the knowledge about people changed. */
  #emitPeople(addresses: readonly string[]): void {
    this.#context.emit('people.changed', { addresses: addresses.map(toChecksumAddress) });
  }

  /** Emits that the conversations with people changed. */
  #emitRows(addresses: readonly string[]): void {
    const { conversations, emit } = this.#context;
    const ids = addresses.flatMap((address) => {
      const conversation = conversations.findByAddress(address);
      return conversation ? [String(conversation.id)] : [];
    });
    if (ids.length > 0) emit('conversations.changed', { ids });
  }

  #reportRenamed(addresses: readonly string[]): void {
    if (addresses.length === 0) return;
    // Rows and messages of groups name them, too.
    for (const address of addresses) this.#context.own.personChanged(address);
    this.#context.own.emitChanges();
  }

  /** Two signed lists of an address that contradict each other; null for none. */
  forkOf(address: string): { known: ForkSide; other: ForkSide } | null {
    const { list, fork, shown } = this.keys.trustIn(address);
    if (!list || !fork) return null;
    const sideOf = (each: DeviceList): ForkSide => {
      const hash = hashOf(address, each);
      return { list: each, hash, isShown: hash === shown };
    };
    return { known: sideOf(list), other: sideOf(fork) };
  }

  /** Time at which the newest seal key of an address was made, in milliseconds since 1970; null for none. */
  lastSeenAt(address: string): number | null {
    return newestSealKeyAt(this.keys.trustIn(address));
  }

  /**
   * Applies the person's choice between two contradicting lists.
   * @param hash base64url of the chosen list; ignored if it is neither of the two
   */
  choose(address: string, hash: string): void {
    this.keys.choose(address, hash);
    this.#problems.delete(address);
  }

  /** Reason why the relay's last answer about an address does not count; null for none. */
  problemOf(address: string): DirectoryProblem | null {
    const problem = this.keys.findSealingProblem(address);
    return problem ? describeProblem(problem) : (this.#problems.get(address) ?? null);
  }

  /**
   * The handle of an address, for a question about a person. Nothing is stored of a person without a contact.
   * @returns null without a public handle, or if the relay's answer does not prove itself
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async handleOf(address: string): Promise<string | null> {
    const { contacts, now } = this.#context;
    if (contacts.find(address)) return (await this.contact(address)).handle;
    const published = await this.#relay.keys(address);
    const { problem } = judgeShown(address, NOTHING_KNOWN, published, [], now());
    const profile = problem ? null : published?.profile;
    return profile?.address === address ? profile.handle : null;
  }

  /**
   * Fetches a handle from the directory and stores the contact, at the request of the person.
   * @returns null for an unknown handle
   */
  async contactByHandle(handle: string): Promise<Contact | null> {
    const record: HandleRecord | null = await this.#relay.handle(handle);
    const { contacts, now } = this.#context;
    if (!record) {
      this.#reportRenamed(contacts.loseHandle(handle));
      return null;
    }
    contacts.ensure(record.address, now());
    this.#reportRenamed(this.#saveProfile(record, true));
    return contacts.ensure(record.address, now());
  }
}

const OUTDATED: FailureData = { code: 'old_key_shown', parameters: {} };

function describeProblem(problem: UnverifiableError): DirectoryProblem {
  const { data: failure } = problem;
  if (isWithheld(problem)) return { kind: 'waiting', failure };
  return { kind: failedWith(problem, 'lists_differ', 'own_lists_differ') ? 'fork' : 'unproven', failure };
}

/** Number of added and removed devices; null without a change, or without an earlier list. */
function changeBetween(before: DeviceList | null, after: DeviceList | null): DevicesChange | null {
  if (!before || !after) return null;
  const idsOf = (list: DeviceList) => new Set(list.devices.map(({ deviceId }) => deviceId));
  const [old, current] = [idsOf(before), idsOf(after)];
  const added = current.difference(old).size;
  const removed = old.difference(current).size;
  return added + removed > 0 ? { added, removed } : null;
}
