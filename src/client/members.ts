/**
 * Who is in the groups of a program, as far as it is believed: the rule of src/messaging over what the relay shows, and
 * its memory, in an identity's journal or for as long as the program runs.
 */

import type { FailureData } from '../base/failure.ts';
import type { GroupsHeard, HeardGroup } from '../messaging/receiving/arrival.ts';
import { type GroupSource, mayBeDone } from '../messaging/relay.ts';
import type { GroupNow, GroupsNow } from '../messaging/sending/group.ts';
import type { Unreached } from '../messaging/sending/outgoing.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import {
  checkRoster,
  isUnconfirmed,
  judgeRoster,
  type MembersMemory,
  removedByOwnDevice,
  unconfirmedIn,
  withConfirmation,
  withDeparture,
} from '../messaging/trust/members.ts';
import { membersHash } from '../protocol/members-hash.ts';
import type { GroupView } from '../protocol/schemas/groups.ts';
import { IdentityError } from './errors.ts';

/** Groups whose members one program remembers. To forget the oldest would let a relay wash out what is remembered. */
const MOST_GROUPS = 1_000;
/** A list of members named this long after the newest one was seen is no older one, in milliseconds. */
const SETTLED_AFTER = 10 * 60_000;

export interface StoredMembers extends MembersMemory {
  /** When it changed last, in milliseconds since 1970. */
  changedAt: number;
}

/** Where the memory is kept. */
export interface MembersStore {
  /** How many groups are remembered. */
  readonly groupCount: number;
  membersOf(groupId: string): StoredMembers | null;
  saveMembers(groupId: string, memory: StoredMembers): void;
  /** Who made a group, as was seen first. */
  creatorOf(groupId: string): string | null;
  pinCreator(groupId: string, creator: string): void;
}

export class GroupMembers {
  readonly #store: MembersStore;

  constructor(store: MembersStore) {
    this.#store = store;
  }

  /**
   * Judges the members that the relay shows, and remembers who is gone.
   * @param own the address of the caller; null where it is not known
   * @returns whom to seal for, and who is shown as a member without counting as one
   * @throws UnverifiableError if the relay's own hash does not fit, or `own` is not among the members; IdentityError if
   *   there is no room for another group
   */
  judge(view: GroupView, own: string | null): { believed: readonly string[]; unconfirmed: string[] } {
    checkRoster(view, own);
    const memory = judgeRoster(this.#store.membersOf(view.id), view.members);
    this.#save(view.id, memory);
    this.#store.pinCreator(view.id, view.creator);
    return { believed: memory.believed, unconfirmed: unconfirmedIn(memory, view.members) };
  }

  /**
   * Removes a member, or the user from the group. It counts before the relay has answered; if that refuses, all is as
   * before.
   */
  async remove(groupId: string, address: string, call: () => Promise<unknown>): Promise<void> {
    const isMember = this.#store.membersOf(groupId)?.believed.includes(address) ?? true;
    this.#depart(groupId, address);
    try {
      await call();
    } catch (error) {
      if (isMember && !mayBeDone(error)) this.confirm(groupId, address);
      throw error;
    }
  }

  #depart(groupId: string, address: string): void {
    const memory = this.#store.membersOf(groupId) ?? { believed: [], departed: [] };
    this.#save(groupId, withDeparture(memory, address));
  }

  /** The user has confirmed a person whom the relay shows as a member again, or has joined again. */
  confirm(groupId: string, address: string): void {
    const memory = this.#store.membersOf(groupId);
    if (memory) this.#save(groupId, withConfirmation(memory, address));
  }

  /** A group as it was seen: its creator, and everybody who is or was in it. Null if it never was. */
  heard(groupId: string): ProgramGroup | null {
    const memory = this.#store.membersOf(groupId);
    const creator = this.#store.creatorOf(groupId);
    if (!memory || creator === null) return null;
    return { groupId, creator, members: [...memory.believed, ...memory.departed] };
  }

  /** Whether a person left or was removed, as was seen, and was not confirmed since. */
  isUnconfirmed(groupId: string, address: string): boolean {
    const memory = this.#store.membersOf(groupId);
    return memory !== null && isUnconfirmed(memory, address);
  }

  /**
   * Another device of the user has signed a list of members: who is missing from it was removed there.
   * @param sentAt milliseconds since 1970
   */
  noteOwnList(groupId: string, hash: string, sentAt: number): void {
    const memory = this.#store.membersOf(groupId);
    // What was written before the newest list was seen names an older one.
    if (!memory || sentAt < memory.changedAt + SETTLED_AFTER) return;
    if (membersHash(memory.believed) === hash) return;
    for (const address of removedByOwnDevice(memory, hash)) this.#depart(groupId, address);
  }

  #save(groupId: string, memory: MembersMemory): void {
    const before = this.#store.membersOf(groupId);
    if (before && isSame(before.believed, memory.believed) && isSame(before.departed, memory.departed))
      return;
    if (!before && this.#store.groupCount >= MOST_GROUPS) {
      throw new IdentityError('identity_groups_full', { most: MOST_GROUPS });
    }
    const { believed, departed } = memory;
    this.#store.saveMembers(groupId, { believed, departed, changedAt: Date.now() });
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return one.length === other.length && other.every((address) => members.has(address));
}

/** Why a person whom the relay shows as a member gets nothing. */
const UNCONFIRMED: FailureData = { code: 'member_unconfirmed', parameters: {} };

/** Groups as they are for sending: asked for each time. */
export class ProgramGroups implements GroupsNow {
  readonly #source: GroupSource;
  readonly #directory: KeyDirectory;
  readonly #members: GroupMembers;
  readonly #own: string;
  readonly #unconfirmed = new Map<string, string[]>();

  constructor(source: GroupSource, directory: KeyDirectory, members: GroupMembers, own: string) {
    this.#source = source;
    this.#directory = directory;
    this.#members = members;
    this.#own = own;
  }

  async now(groupId: string): Promise<GroupNow> {
    const view = await this.#source.group(groupId);
    const { believed, unconfirmed } = this.#members.judge(view, this.#own);
    this.#unconfirmed.set(groupId, unconfirmed);
    const members = await this.#directory.learnMembers(view);
    return {
      isMember: believed.includes(this.#own),
      believed,
      members,
      shownKeys: Object.values(view.memberDeviceKeys).flat(),
    };
  }

  expire(): void {}

  unconfirmed(groupId: string): Unreached[] {
    const addresses = this.#unconfirmed.get(groupId) ?? [];
    return addresses.map((address) => ({ address, reason: UNCONFIRMED, isWithheld: false }));
  }
}

/** A group as a program hears it: whoever is in it, or was, as far as the program has seen. */
export type ProgramGroup = HeardGroup;

/** Groups for receiving: what is remembered of them, and the relay where nothing is. */
export class HeardGroups implements GroupsHeard<ProgramGroup> {
  readonly #source: GroupSource;
  readonly #members: GroupMembers;
  readonly #own: string;

  constructor(source: GroupSource, members: GroupMembers, own: string) {
    this.#source = source;
    this.#members = members;
    this.#own = own;
  }

  async of(groupId: string): Promise<ProgramGroup> {
    const known = this.#members.heard(groupId);
    return known?.members.includes(this.#own) ? known : this.refresh(groupId);
  }

  async compare(
    group: ProgramGroup,
    hash: string,
    { isOwn, sentAt }: { isOwn: boolean; sentAt: number },
  ): Promise<ProgramGroup> {
    if (isOwn) this.#members.noteOwnList(group.groupId, hash, sentAt);
    return this.of(group.groupId);
  }

  async refresh(groupId: string): Promise<ProgramGroup> {
    const view = await this.#source.group(groupId);
    this.#members.judge(view, this.#own);
    return this.#members.heard(groupId) ?? { groupId, creator: view.creator, members: view.members };
  }
}
