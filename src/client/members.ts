/**
 * Who is in the groups of a program, as far as it is believed: the rule of src/messaging over what the relay shows, and
 * its memory, in an identity's journal or for as long as the program runs.
 */
import {
  isUnconfirmed,
  judgeRoster,
  type MembersMemory,
  removedByOwnDevice,
  unconfirmedIn,
  withConfirmation,
  withDeparture,
} from '../messaging/trust/members.ts';
import { native } from '../protocol/crypto/native.ts';
import { membersHash } from '../protocol/members-hash.ts';
import type { GroupView } from '../protocol/schemas/groups.ts';
import { IdentityError, RelayUnreachable, UnverifiableError } from './errors.ts';
import { RelayRefusal } from './http.ts';

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
}

/** A memory for as long as the program runs. */
export function membersInMemory(): MembersStore {
  const groups = new Map<string, StoredMembers>();
  return {
    get groupCount() {
      return groups.size;
    },
    membersOf: (groupId) => groups.get(groupId) ?? null,
    saveMembers: (groupId, memory) => void groups.set(groupId, memory),
  };
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
    if (membersHash(native, view.members) !== view.membersHash) {
      throw new UnverifiableError('The relay shows a group whose members do not fit its own hash of them.');
    }
    if (own !== null && !view.members.includes(own)) {
      throw new UnverifiableError('The relay shows a group without you as a group of yours.');
    }
    const memory = judgeRoster(this.#store.membersOf(view.id), view.members);
    this.#save(view.id, memory);
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
    if (membersHash(native, memory.believed) === hash) return;
    for (const address of removedByOwnDevice(native, memory, hash)) this.#depart(groupId, address);
  }

  #save(groupId: string, memory: MembersMemory): void {
    const before = this.#store.membersOf(groupId);
    if (before && isSame(before.believed, memory.believed) && isSame(before.departed, memory.departed))
      return;
    if (!before && this.#store.groupCount >= MOST_GROUPS) {
      throw new IdentityError(
        `The members of ${MOST_GROUPS} groups are remembered, and there is no room for another. Use another identity for it.`,
      );
    }
    const { believed, departed } = memory;
    this.#store.saveMembers(groupId, { believed, departed, changedAt: Date.now() });
  }
}

/** Whether the relay may have done what was asked, though no answer says so. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof RelayRefusal) return error.status >= 500 || error.code === 'not_found';
  return error instanceof RelayUnreachable;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(one);
  return one.length === other.length && other.every((address) => members.has(address));
}
