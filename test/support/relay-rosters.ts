/**
 * Groups at a real relay: chains that people with real devices sign, post and fold.
 */

import { importEd25519, type PrivateKey, sha256 } from '../../src/protocol/crypto.ts';
import type { DeviceList } from '../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeUtf8 } from '../../src/protocol/encoding.ts';
import { openEntry } from '../../src/protocol/roster/entry.ts';
import { foldRoster } from '../../src/protocol/roster/fold.ts';
import type { RosterContent, RosterEntry, Ticket } from '../../src/protocol/roster/forms.ts';
import {
  createGroup,
  joinByPassword,
  nextEntry,
  type RosterSigner,
} from '../../src/protocol/roster/making.ts';
import { admissionBytes, signLinkProof } from '../../src/protocol/roster/proofs.ts';
import { emptyRoster, type RosterState } from '../../src/protocol/roster/state.ts';
import { signTicket } from '../../src/protocol/roster/tickets.ts';
import type { RosterPlace } from '../../src/protocol/schemas/rosters.ts';
import type { Person, TestDevice } from './person.ts';
import type { TestRelay } from './relay.ts';
import { joinByLink, placeAfter } from './roster-making.ts';

export type Content = Exclude<RosterContent, { kind: 'create' }>;
export type Change = Omit<Extract<RosterContent, { kind: 'change' }>, 'kind'>;

/** The keys of a password, without the half second of its derivation. */
export function quickPassword(password: string): { passwordProof: string; key: PrivateKey } {
  const seed = (use: string) => sha256(encodeUtf8(`${use} ${password.normalize('NFKC')}`));
  return { passwordProof: encodeBase64Url(seed('passwordProof')), key: importEd25519(seed('key')) };
}

/** The first state of a group; open by default. */
export interface Beginning extends Omit<Change, 'join' | 'joinKey'> {
  name?: string;
  join?: 'open' | 'invite';
  /** Then it is joined by password. */
  password?: string;
  listed?: boolean;
}

/** The signer of a person's device. */
export function signerOf(person: Person, device: TestDevice = person.device): RosterSigner {
  if (!person.list) throw new Error('nobody signs without a device list');
  return { address: person.address, deviceKey: device.signing, list: person.list.sequence };
}

/** The first entries of a group, and the further fields of the call. */
export function beginning(creator: Person, how: Beginning = {}) {
  const { name = 'A group', join = 'open', password, listed, ...settings } = how;
  const now = creator.relay.now();
  const signer = signerOf(creator);
  const { groupId, entry } = createGroup(signer, name, now);
  const secret = password === undefined ? null : quickPassword(password);
  const mode = secret
    ? { join: 'password' as const, joinKey: encodeBase64Url(secret.key.publicKey) }
    : { join };
  const change = nextEntry(placeAfter(entry), signer, { kind: 'change', ...mode, ...settings }, now);
  return {
    groupId,
    body: {
      entries: [entry, change],
      ...(secret && { password: secret.passwordProof }),
      ...(listed !== undefined && { listed }),
    },
  };
}

/** A group whose members extend its chain. Each entry is posted to the relay and folded here. */
export class TestRoster {
  readonly relay: TestRelay;
  readonly params: { id: string };
  readonly entries: RosterEntry[] = [];
  state: RosterState;
  #creator: Person | null = null;
  /** All lists named so far. */
  readonly #lists = new Map<string, DeviceList>();

  private constructor(relay: TestRelay, groupId: string) {
    this.relay = relay;
    this.params = { id: groupId };
    this.state = emptyRoster(groupId);
  }

  /** A group that the relay created from these entries. */
  static of(creator: Person, groupId: string, entries: readonly RosterEntry[]): TestRoster {
    const roster = new TestRoster(creator.relay, groupId);
    for (const entry of entries) roster.append(entry, creator);
    return roster;
  }

  static async begin(
    creator: Person,
    how: Beginning = {},
    others: readonly Person[] = [],
  ): Promise<TestRoster> {
    const { relay, token } = creator;
    const { groupId, body } = beginning(creator, how);
    await relay.call('createGroup', { token, body });
    const roster = TestRoster.of(creator, groupId, body.entries);
    for (const other of others) await roster.join(other, how.password);
    return roster;
  }

  get id(): string {
    return this.params.id;
  }

  /** The secret of a new token of the group. */
  createToken = async (name = 'bot', by = this.#creator): Promise<string> => {
    if (!by) throw new Error('this group has no creator');
    const { params } = this;
    return (await this.relay.call('createToken', { token: by.token, params, body: { name } })).body.secret;
  };

  /** An entry that would follow, valid or not. */
  make(person: Person, content: Content, signer = signerOf(person), now = this.relay.now()): RosterEntry {
    return nextEntry(this.state, signer, content, now);
  }

  ticket(from: Person, to: { address: string }, life?: number): Ticket {
    return signTicket(this.state, signerOf(from), to.address, this.relay.now(), life);
  }

  /** Folds the entries at the relay. Throws if one is invalid. */
  append(entry: RosterEntry, by: Person): void {
    if (by.list) this.#lists.set(`${by.address} ${by.list.sequence}`, by.list);
    this.#fold(entry);
    if (this.#creator === null || this.state.creator === by.address) this.#creator = by;
  }

  /** Folds entries that others have posted meanwhile, apps for example. @param reader a member, who fetches them */
  async follow({ token }: Person): Promise<void> {
    const query = { after: this.state.epoch };
    const { body } = await this.relay.call('getRoster', { token, params: this.params, query });
    for (const entry of body.entries) {
      const address = openEntry(entry)?.json.by ?? '';
      const { body: keys } = await this.relay.call('getKeys', { token, params: { address } });
      this.#lists.set(`${address} ${keys.deviceList.sequence}`, keys.deviceList);
      this.#fold(entry);
    }
  }

  #fold(entry: RosterEntry): void {
    const deviceList = (address: string, sequence: number) =>
      this.#lists.get(`${address} ${sequence}`) ?? null;
    const { state, end } = foldRoster(this.state, [entry], { now: this.relay.now(), deviceList });
    if (end) throw new Error(`the relay has taken what does not fold: ${JSON.stringify(end)}`);
    this.state = state;
    this.entries.push(entry);
  }

  post(token: string, entry: RosterEntry, password?: string): Promise<Response> {
    const body = { entry, ...(password !== undefined && { password }) };
    return this.relay.request('postRosterEntry', { token, params: this.params, body });
  }

  /** Signs, posts and folds a valid entry. */
  async add(person: Person, content: Content, password?: string): Promise<RosterEntry> {
    const entry = this.make(person, content);
    const body = { entry, ...(password !== undefined && { password }) };
    await this.relay.call('postRosterEntry', { token: person.token, params: this.params, body });
    this.append(entry, person);
    return entry;
  }

  change(person: Person, change: Change, password?: string): Promise<RosterEntry> {
    return this.add(person, { kind: 'change', ...change }, password);
  }

  leave(person: Person): Promise<RosterEntry> {
    return this.add(person, { kind: 'leave' });
  }

  remove(by: Person, ...members: { address: string }[]): Promise<RosterEntry> {
    return this.change(by, { remove: members.map(({ address }) => address) });
  }

  /** Allows someone to read the chain, by a proof that allows joining. */
  admit({ token }: Person, body: object = {}): Promise<unknown> {
    return this.relay.call('admitToGroup', { token, params: this.params, body });
  }

  /** Joins with the password if there is one, with a given ticket, or openly. */
  async join(person: Person, proof?: string | Ticket): Promise<RosterEntry> {
    if (proof === undefined) {
      await this.admit(person);
      return this.add(person, { kind: 'join' });
    }
    if (typeof proof === 'object') {
      await this.admit(person, { ticket: proof });
      return this.add(person, { kind: 'join', ticket: proof });
    }
    const { passwordProof, key } = quickPassword(proof);
    await this.admit(person, { password: passwordProof });
    return this.add(person, joinByPassword(this.state, person.address, key));
  }

  async joinByLink(person: Person, link: PrivateKey): Promise<RosterEntry> {
    await this.admit(person, { link: signLinkProof(link, admissionBytes(this.id, person.address)) });
    return this.add(person, joinByLink(this.state, person.address, link));
  }
}

/** The last entry of an open group's chain, as the relay names it to a member or a person who could join. */
export async function placeAt({ relay, token }: Person, id: string): Promise<RosterPlace> {
  return (await relay.call('admitToGroup', { token, params: { id }, body: {} })).body;
}

/** Appends an entry to an open group that others have made: no chain is kept here. */
async function actAs(person: Person, id: string, content: Content): Promise<void> {
  const { relay, token } = person;
  const before = { groupId: id, ...(await placeAt(person, id)), issued: 0 };
  const entry = nextEntry(before, signerOf(person), content, relay.now());
  await relay.call('postRosterEntry', { token, params: { id }, body: { entry } });
}

/** A person joins an open group that others have made. */
export const joinAs = (person: Person, id: string) => actAs(person, id, { kind: 'join' });
/** A person leaves such a group. */
export const leaveAs = (person: Person, id: string) => actAs(person, id, { kind: 'leave' });
/** A person begins a group. Returns its id. */
export async function beginAs(person: Person, how: Beginning = {}): Promise<string> {
  const { groupId, body } = beginning(person, how);
  await person.relay.call('createGroup', { token: person.token, body });
  return groupId;
}
