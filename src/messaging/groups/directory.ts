/**
 * Groups at the relay, and what is made of them here: what the relay shows is judged by what was seen before
 * (../trust/members.ts) and remembered, and members' keys count only as far as their wallets signed them.
 */
import type { FailureData } from '../../base/failure.ts';
import { membersHash } from '../../protocol/members-hash.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { GroupsHeard } from '../receiving/arrival.ts';
import { type GroupSource, mayBeDone, RelayRefusal } from '../relay.ts';
import { GROUP_FRESH_FOR, type GroupNow, type GroupsNow } from '../sending/group.ts';
import type { Unreached } from '../sending/outgoing.ts';
import type { KeyDirectory, Member } from '../trust/directory.ts';
import {
  checkRoster,
  isUnconfirmed,
  judgeRoster,
  type MembersMemory,
  removedByOwnDevice,
  withConfirmation,
  withDeparture,
} from '../trust/members.ts';
import { hashesBetween } from './members-between.ts';
import type { GroupMemory, RememberedGroup, ShownLists } from './memory.ts';

/** A group, and what is proven of its members. */
export interface KnownGroup<G extends RememberedGroup> {
  group: G;
  members: Member[];
  /** What the relay showed; null where it was not asked. */
  view: GroupView | null;
}

/** Who came and who left, as is believed. */
export interface MembersChange {
  joined: string[];
  left: string[];
}

export interface GroupParts<G extends RememberedGroup> {
  source: GroupSource;
  keys: KeyDirectory;
  memory: GroupMemory<G>;
  /** The user's address; null before it is known. */
  own(): string | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether members are proven, and so known by name, as soon as they are seen. Else only before something is sealed. */
  provesEarly: boolean;
  /** Whether the user can join groups here: then the relay's word that they are no member counts until they do. */
  canJoin: boolean;
  /** Told whenever it is believed that members came or left. */
  onMembers?(group: G, change: MembersChange): void;
  /** Told whenever something changed that a person can see. */
  onChanged?(group: G): void;
  /** Told of a list of members that someone named and that was never shown here. Unless given, none is looked for. */
  onDiffers?(group: G): void;
}

/** Why a person whom the relay shows as a member gets nothing. */
const UNCONFIRMED: FailureData = { code: 'member_unconfirmed', parameters: {} };

export class GroupDirectory<G extends RememberedGroup> implements GroupsNow, GroupsHeard<G> {
  readonly #parts: GroupParts<G>;
  /** By group: what is being asked, one call at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(parts: GroupParts<G>) {
    this.#parts = parts;
  }

  /**
   * A group with its members, not older than `freshFor` milliseconds, asked for again if need be.
   * @throws RelayRefusal 'not_a_member', after noting that the user is none any more; RelayUnreachable,
   *   UnverifiableError; Failure if there is no room for another group
   */
  known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#known(groupId, freshFor, true));
  }

  /** The same; its members are proven only where that is done early. @throws as {@link known} */
  seen(groupId: string, freshFor: number): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#known(groupId, freshFor, false));
  }

  /**
   * Makes a call that is answered with a group, and remembers the answer.
   * @param isOwnAct the user joins the group by it
   * @throws what the call throws; UnverifiableError, RelayRefusal, RelayUnreachable
   */
  answered(groupId: string, call: () => Promise<GroupView>, isOwnAct = false): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, async () => this.#remember(await call(), false, isOwnAct));
  }

  /**
   * Remembers a group that the user has just made.
   * @throws UnverifiableError, RelayRefusal, RelayUnreachable
   */
  made(view: GroupView): Promise<KnownGroup<G>> {
    // Where it is known by now, it was asked for after this answer, which may be older.
    return this.#inTurn(view.id, () =>
      this.#parts.memory.find(view.id) ? this.#known(view.id, 0, false) : this.#remember(view, false, true),
    );
  }

  #inTurn(groupId: string, ask: () => Promise<KnownGroup<G>>): Promise<KnownGroup<G>> {
    const before = this.#turns.get(groupId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(ask);
    this.#turns.set(groupId, turn);
    const forget = () => {
      if (this.#turns.get(groupId) === turn) this.#turns.delete(groupId);
    };
    turn.then(forget, forget);
    return turn;
  }

  async #known(groupId: string, freshFor: number, isProven: boolean): Promise<KnownGroup<G>> {
    const { memory, keys, now } = this.#parts;
    const group = memory.find(groupId);
    if (group?.joined && now() - group.fetchedAt < freshFor) {
      return { group, members: keys.members(group.members), view: null };
    }
    return this.#remember(await this.#ask(groupId), isProven);
  }

  async #ask(groupId: string): Promise<GroupView> {
    try {
      return await this.#parts.source.group(groupId);
    } catch (error) {
      const isOver = error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
      const { canJoin, memory } = this.#parts;
      if (isOver && canJoin && memory.find(groupId)?.joined) this.leave(groupId);
      throw error;
    }
  }

  /**
   * Remembers what the relay shows of a group. A member who departed and is shown again does not count as a member until the
   * user confirms it.
   * In turn alone: an answer from before another must not be remembered after it.
   * @param isOwnAct the user has just made or joined the group
   * @throws UnverifiableError if the relay's own hash does not fit its members, or the user is none of them;
   *   RelayRefusal, RelayUnreachable
   */
  async #remember(view: GroupView, isProven: boolean, isOwnAct = false): Promise<KnownGroup<G>> {
    const { keys, provesEarly, onChanged } = this.#parts;
    checkRoster(view, this.#parts.own());
    const members = isProven || provesEarly ? await keys.learnMembers(view) : [];
    const { before, group } = this.#save(view, isOwnAct);
    if (before?.joined && group.joined) this.#tell(group, before);
    if (onChanged && (!before || differ(before, group))) onChanged(group);
    return { group, members, view };
  }

  #save(view: GroupView, isOwnAct: boolean) {
    const { memory } = this.#parts;
    const own = this.#parts.own();
    const before = memory.find(view.id);
    const known = before && memory.members(before);
    const confirmed = known && isOwnAct && own !== null ? withConfirmation(known, own) : known;
    const members = judgeRoster(confirmed, view.members);
    const shown = view.members;
    const past = () => {
      // Of a group that is new here nothing is known but that it was without the user before.
      if (!before?.joined) {
        const others = shown.filter((member) => member !== own);
        return hashesBetween(others, shown);
      }
      const ofShown = hashesBetween(before.members, shown);
      const ofBelieved = hashesBetween(believedIn(before), members.believed);
      return ofShown && ofBelieved && [...ofShown, ...ofBelieved];
    };
    const lists = { current: () => currentLists(shown, members), past };
    return { before, group: memory.save(view, members, own, lists) };
  }

  /** Replaces what is believed of a group's members, and tells what that changes, unless it is to be silent. */
  #believe(group: G, members: MembersMemory, isSilent = false): G {
    const { memory, onChanged } = this.#parts;
    const lists: ShownLists = { current: () => currentLists(group.members, members), past: () => [] };
    const changed = memory.setMembers(group, members, this.#parts.own(), lists);
    if (!isSilent) this.#tell(changed, group);
    onChanged?.(changed);
    return changed;
  }

  #tell(group: G, before: G): void {
    const { onMembers } = this.#parts;
    if (!onMembers) return;
    const [was, is] = [believedIn(before), believedIn(group)];
    const [old, current] = [new Set(was), new Set(is)];
    const joined = is.filter((address) => !old.has(address));
    const left = was.filter((address) => !current.has(address));
    if (joined.length + left.length > 0) onMembers(group, { joined, left });
  }

  /** For sending. */
  async now(groupId: string, freshFor: number): Promise<GroupNow> {
    const { group, members, view } = await this.known(groupId, freshFor);
    return {
      isMember: group.joined,
      believed: believedIn(group),
      members,
      shownKeys: view && Object.values(view.memberDeviceKeys).flat(),
    };
  }

  expire(groupId: string): void {
    const group = this.#parts.memory.find(groupId);
    if (group) this.#parts.memory.expire(group);
  }

  /** Whom the relay shows as members, and who get nothing until the user has confirmed them. */
  unconfirmed(groupId: string): Unreached[] {
    const addresses = this.#parts.memory.find(groupId)?.unconfirmed ?? [];
    return addresses.map((address) => ({ address, reason: UNCONFIRMED, isWithheld: false }));
  }

  /** For receiving: a group that the user is in, asked for if it is not known. */
  async of(groupId: string): Promise<G> {
    const known = this.#parts.memory.find(groupId);
    return known?.joined ? known : this.refresh(groupId, 0);
  }

  async refresh(groupId: string, freshFor: number): Promise<G> {
    return (await this.seen(groupId, freshFor)).group;
  }

  hears(group: G, address: string): boolean {
    return group.members.includes(address) || this.#parts.memory.members(group).departed.includes(address);
  }

  /** Whether a person left or was removed, or may have been, and the user has not confirmed them since. */
  isUnconfirmed(group: G, address: string): boolean {
    return isUnconfirmed(this.#parts.memory.members(group), address);
  }

  /**
   * Where the relay has never shown such a list here, it shows someone else another one; another device of the
   * user's own may have removed someone.
   */
  async compare(
    group: G,
    hash: string,
    { isOwn, sentAt, freshFor }: { isOwn: boolean; sentAt: number; freshFor: number },
  ): Promise<G> {
    const { memory, onChanged, onDiffers } = this.#parts;
    if (!isOwn && !onDiffers) return group;
    // What was written before the user came names a list that they were never shown.
    if (sentAt < group.joinedAt || memory.hasShown(group, hash, sentAt)) return group;
    const current = await this.refresh(group.groupId, freshFor);
    if (memory.hasShown(current, hash, sentAt)) return current;
    const members = memory.members(current);
    const removed = isOwn ? removedByOwnDevice(members, hash) : [];
    if (removed.length > 0) return this.#believe(current, removed.reduce(withDeparture, members));
    if (!onDiffers) return current;
    onDiffers(current);
    const differing = this.#get(current.groupId);
    onChanged?.(differing);
    return differing;
  }

  /**
   * Removes a member, or the user from the group. From now on nothing is sealed for them, whatever the relay shows; if
   * it refuses, all is as before.
   * @throws what the call throws, and, for a group that was never seen, {@link known}
   */
  async remove(groupId: string, address: string, call: () => Promise<unknown>): Promise<void> {
    const { memory } = this.#parts;
    if (!memory.find(groupId)) await this.seen(groupId, 0);
    const group = this.#get(groupId);
    const before = memory.members(group);
    const wasBelieved = before.believed.includes(address);
    this.#believe(group, withDeparture(before, address), true);
    try {
      await call();
    } catch (error) {
      const current = this.#get(groupId);
      if (wasBelieved && !mayBeDone(error)) {
        this.#believe(current, withConfirmation(memory.members(current), address), true);
      }
      throw error;
    }
    if (wasBelieved) this.#parts.onMembers?.(this.#get(groupId), { joined: [], left: [address] });
  }

  /**
   * The user confirms a person, or themselves, whom the relay shows as a member again.
   * @returns whether there was anything to confirm
   */
  confirm(groupId: string, address: string): boolean {
    const group = this.#parts.memory.find(groupId);
    if (!group?.unconfirmed.includes(address)) return false;
    this.#believe(group, withConfirmation(this.#parts.memory.members(group), address));
    return true;
  }

  /** The user is no member any more: nothing can be sent, and what was said stays. */
  leave(groupId: string): void {
    const { memory } = this.#parts;
    const own = this.#parts.own();
    if (own === null) return;
    memory.transaction(() => {
      // As it is now: it may have changed while the relay was asked.
      const group = this.#get(groupId);
      const left = this.#believe(group, withDeparture(memory.members(group), own));
      // The relay says so, too: it shows the user as a member no more.
      memory.forgetShown(left, own);
    });
  }

  #get(groupId: string): G {
    const group = this.#parts.memory.find(groupId);
    if (!group) throw new Error('a group that was just there is missing');
    return group;
  }
}

/** The members that messages are sealed for. */
function believedIn({ members, unconfirmed }: RememberedGroup): string[] {
  const without = new Set(unconfirmed);
  return members.filter((address) => !without.has(address));
}

/** Others may not have confirmed a member whom this user has confirmed, or the other way round. Such a list is no lie. */
function currentLists(shown: readonly string[], { believed, departed }: MembersMemory): string[] {
  const gone = new Set(departed);
  const steady = shown.filter((address) => !gone.has(address));
  const some = hashesBetween(steady, shown) ?? [];
  return [...some, ...[shown, believed].map((members) => membersHash([...members]))];
}

/** Whether anything changed that a person can see. */
function differ(before: RememberedGroup, after: RememberedGroup): boolean {
  return JSON.stringify({ ...before, fetchedAt: 0 }) !== JSON.stringify({ ...after, fetchedAt: 0 });
}
