/**
 * Reads groups from the relay: follows their chains, and compares the relay's view with them, and both with
 * the pinned state. Problems are stored in the notes.
 */

import { BoundedMap } from '../../protocol/bounded-map.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isMember, membersOf, type RosterState } from '../../protocol/roster/state.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import { MAX_HELLO_ITEMS } from '../contents/kinds/hello.ts';
import { RelayRefusal } from '../relay.ts';
import { SignerLists } from '../trust/signer-lists.ts';
import { RememberedChain } from './chain.ts';
import { ChainHistories } from './chain-history.ts';
import { type ChainStop, type GroupNotes, isJoined, type RememberedGroup } from './chain-memory.ts';
import { memberDepartures } from './departures.ts';
import { judgeAgainstChain } from './evidence.ts';
import { type Followed, follow, listsNamed } from './follow.ts';
import { linkChanges } from './link-changes.ts';
import type { GroupParts, KnownGroup } from './parts.ts';
import { droppedIn, stopProblem } from './problems.ts';
import { BRING_BACK_EVERY, restoreEntries } from './restore-entries.ts';
import { roleChanges } from './role-changes.ts';
import { timerChange } from './timer-changes.ts';

/** Number of groups whose last restoration at the relay is remembered. */
const MAX_BROUGHT = 1_000;
/** Number of reads of a group that changes meanwhile. */
const MAX_READS = 3;

export class GroupReader<G extends RememberedGroup> {
  readonly lists: SignerLists;
  readonly #histories: ChainHistories;
  readonly #parts: GroupParts<G>;
  /** By group: last restoration of lost entries at the relay, in milliseconds since 1970. */
  readonly #restoredAt = new BoundedMap<string, number>(MAX_BROUGHT);
  /** By group: last failure to follow the chain, in milliseconds since 1970. */
  readonly #stoppedAt = new BoundedMap<string, number>(MAX_BROUGHT);

  constructor(parts: GroupParts<G>) {
    this.#parts = parts;
    this.#histories = new ChainHistories(parts.memory);
    this.lists = new SignerLists(parts.source, parts.keys, parts.now);
  }

  /** Reports whether the user is in a group. */
  isJoined(group: G): boolean {
    return isJoined(group, this.#parts.own());
  }

  /** The stored group if it was read within `freshFor` milliseconds, else {@link read}. */
  async known(groupId: string, freshFor: number, isProven: boolean): Promise<KnownGroup<G>> {
    const { memory, keys, now } = this.#parts;
    const group = memory.find(groupId);
    const isFresh = group && !group.notes.stop && now() - group.fetchedAt < freshFor;
    if (isFresh && this.isJoined(group)) {
      return { group, members: keys.members(membersOf(group.state)), view: null };
    }
    return this.read(groupId, isProven);
  }

  /** Reads a group and its chain, and compares them. */
  async read(groupId: string, isProven: boolean): Promise<KnownGroup<G>> {
    const { keys, memory, now, provesEarly } = this.#parts;
    const since = now();
    for (let reads = 0; reads < MAX_READS; reads++) {
      const view = await this.#view(groupId);
      const { roster: shown } = view;
      const before = memory.find(groupId);
      const isPinned = before?.state.hash === shown.hash && !before.notes.stop;
      const { group, stop } = isPinned ? { group: before, stop: null } : await this.#advance(groupId);
      if (stop) return this.#stopped(group, stop);
      if (group.state.epoch > shown.epoch && reads < MAX_READS - 1) continue;
      if (!this.#agrees(view, group)) {
        if (await this.#restoredEnd(group, shown)) return this.read(groupId, isProven);
        return this.#stopped(group, { why: this.#isOther(group, shown) ? 'replaced' : 'behind' });
      }
      if (isProven && (await this.#restoredMissing(group))) return this.read(groupId, isProven);
      const members = isProven || provesEarly ? await keys.learnMembers(view) : [];
      const current = this.checkDropped(this.#stop(this.get(groupId), null));
      return { group: memory.fetched(current, since, view), members, view };
    }
    throw new Error('a group changed during each of its reads');
  }

  /** Reports whether the relay, with an earlier state of the chain, has stored the lost entries again. */
  async #restoredEnd(group: G, shown: RosterReference): Promise<boolean> {
    const { memory } = this.#parts;
    if (!this.chainOf(group).isBefore(shown)) return false;
    return this.#restore(group, memory.whole(group.groupId), shown.epoch);
  }

  /** Reports whether the relay has stored a change that it refused before. Checked before sealing. */
  async #restoredMissing(group: G): Promise<boolean> {
    const { missing } = group.notes;
    if (!missing) return false;
    try {
      return await this.#restore(group, [missing], group.state.epoch);
    } catch (error) {
      // Queued messages retry with growing delays.
      this.#restoredAt.delete(group.groupId);
      throw error;
    }
  }

  async #restore({ groupId }: G, entries: readonly RosterEntry[], shown: number): Promise<boolean> {
    const { source, now } = this.#parts;
    if (now() - (this.#restoredAt.get(groupId) ?? 0) < BRING_BACK_EVERY) return false;
    this.#restoredAt.set(groupId, now());
    return restoreEntries(source, groupId, entries, shown);
  }

  /** Reports whether following the chain failed within the last milliseconds. */
  wasStopped(groupId: string, within: number): boolean {
    return this.#parts.now() - (this.#stoppedAt.get(groupId) ?? 0) < within;
  }

  #stopped(before: G, stop: ChainStop): KnownGroup<G> {
    this.#stoppedAt.set(before.groupId, this.#parts.now());
    const group = this.#stop(before, stop);
    return { group, members: this.#parts.keys.members(membersOf(group.state)), view: null };
  }

  /** Reports whether the relay's view of a group agrees with its chain. */
  #agrees(view: GroupView, { state }: G): boolean {
    const { members, roster: shown } = view;
    if (shown.epoch !== state.epoch || shown.hash !== state.hash) return false;
    return members.length === state.memberCount && members.every((address) => isMember(state, address));
  }

  /** Reports whether the relay shows another entry in place of a pinned one. */
  #isOther({ groupId, state }: G, { epoch, hash }: RosterReference): boolean {
    return epoch <= state.epoch && this.#parts.memory.hashAt(groupId, epoch) !== hash;
  }

  async #view(groupId: string): Promise<GroupView> {
    try {
      return await this.#parts.source.group(groupId);
    } catch (error) {
      const group = isDenied(error) ? this.#parts.memory.find(groupId) : null;
      if (group && this.isJoined(group)) await this.#shut(group);
      else if (group) this.#denied(group);
      throw error;
    }
  }

  /** The relay's only answer about a group of a history is a denial: the membership may have ended since. */
  #denied(group: G): void {
    if (group.notes.pin && group.state.epoch === 0) this.#stop(group, { why: 'shut' });
  }

  /** The relay denies access to the group: the chain may show the reason, or it is the relay's claim. */
  async #shut(group: G): Promise<void> {
    const current = await this.follow(group.groupId).catch((error: unknown) => {
      if (error instanceof RelayRefusal) return this.get(group.groupId);
      throw error;
    });
    if (!this.isJoined(current)) return;
    this.#stop(current, { why: 'shut' });
    // The relay may have been restored to a time before the user joined. An owner can restore the join.
    const { creator, admins, epoch } = current.state;
    const owner = creator ?? admins[0];
    const since = Math.max(0, epoch - MAX_HELLO_ITEMS);
    const known = { epoch: since, hash: this.chainOf(current).hashAt(since) };
    if (owner !== undefined) this.#parts.talk?.()?.answer(current, owner, known);
  }

  /**
   * Follows the relay's chain.
   * @param isJoining whether the user wants to join; else a group is stored once they are a member
   * @throws UnverifiableError without any valid entry; RelayRefusal 'not_a_member' for a group that the user
   * was never in
   */
  async follow(groupId: string, isJoining = false): Promise<G> {
    const before = this.#parts.memory.find(groupId);
    const { group, stop } = await this.#advance(groupId, isJoining);
    // A chain without the pinned entry has nothing after it: the relay's view shows that.
    const isReplaced = before?.notes.stop?.why === 'replaced' && before.state.hash === group.state.hash;
    return this.#stop(group, isReplaced ? before.notes.stop : stop);
  }

  /** Same, without storing the reason for stopping. */
  async #advance(groupId: string, isJoining = false): Promise<Followed<G> & { group: G }> {
    const { memory, source, now } = this.#parts;
    const before = memory.find(groupId);
    const own = this.#parts.own();
    const keeps = (state: RosterState) => isJoining || own === null || isMember(state, own);
    const followed = follow({ source, lists: this.lists, memory, now }, groupId, keeps);
    const { group, stop } = await followed.catch((error: unknown) => {
      const current = isDenied(error) ? memory.find(groupId) : null;
      if (current) this.#denied(current);
      throw error;
    });
    if (!group && stop) throw stopProblem(stop, this.#parts.nameOf);
    if (!group) throw new RelayRefusal(403, 'not_a_member', '');
    this.changed(before, group);
    const { missing } = group.notes;
    if (missing) await this.lists.prove(listsNamed(group.state, missing));
    const settled = this.settled(this.#compared(group));
    return { group: settled, stop: stop ?? (settled.notes.pin && { why: 'replaced' }) };
  }

  /** Forgets the entry named by a history once it is in the chain. */
  #compared(group: G): G {
    const { pin } = group.notes;
    if (pin === null || this.chainOf(group).hashAt(pin.epoch) !== pin.hash) return group;
    return this.note(group, { ...group.notes, pin: null });
  }

  /** Checks whether the relay now shows the missing entry, or another one in its place. */
  settled(group: G): G {
    const { notes } = group;
    const split = notes.split && this.has(group, notes.split) ? null : notes.split;
    if (!notes.missing) return this.note(group, { ...notes, split });
    const { memory, now } = this.#parts;
    const verdict = judgeAgainstChain({ lists: this.lists, memory, now }, group, notes.missing);
    const isOpen = verdict === 'follows' || typeof verdict === 'object';
    const isNew = verdict === 'split' && !split && !notes.decided.includes(entryHash(notes.missing));
    return this.note(group, {
      ...notes,
      split: isNew ? notes.missing : split,
      missing: isOpen ? notes.missing : null,
    });
  }

  /** Reports whether the chain of a group has an entry. */
  has(group: G, entry: RosterEntry): boolean {
    return this.chainOf(group).hashAt(openEntry(entry)?.json.epoch ?? 0) === entryHash(entry);
  }

  #stop(group: G, stop: ChainStop | null): G {
    return this.note(group, { ...group.notes, stop });
  }

  /**
   * Checks whether the last acts on the group are by devices that were removed since. A missing change by one is no longer
   * expected: no relay accepts it, and a thief of the device can have written it into a history.
   */
  checkDropped(group: G): G {
    const dropped = droppedIn(this.#parts.memory, group, (address, deviceId) =>
      this.lists.isDropped(address, deviceId),
    );
    const { missing } = group.notes;
    const by = missing && openEntry(missing)?.json.by;
    const isExpected = missing && !(by && this.lists.isDropped(by, missing.deviceId));
    return this.note(group, { ...group.notes, dropped, missing: isExpected ? missing : null });
  }

  note(group: G, notes: GroupNotes): G {
    if (JSON.stringify(group.notes) === JSON.stringify(notes)) return group;
    const after = this.#parts.memory.note(group, notes);
    this.#parts.onChanged?.(after);
    return after;
  }

  /** The current group according to the relay. A chain that cannot be followed to its end is not changed. */
  async readToChange(groupId: string): Promise<G> {
    const group = await this.follow(groupId);
    this.requireChain(group);
    return group;
  }

  requireChain({ notes: { stop } }: G): void {
    if (stop) throw stopProblem(stop, this.#parts.nameOf);
  }

  changed(before: G | null, after: G): void {
    if (before?.state.hash === after.state.hash) return;
    const { onTimeline, onChanged } = this.#parts;
    // Before the first entry no member is known.
    if (before && before.state.epoch > 0 && onTimeline) {
      const joined = membersOf(after.state).filter((address) => !isMember(before.state, address));
      const past = () => this.#parts.memory.newestFirst(after.groupId);
      const left = memberDepartures(before.state, after.state, past());
      const roles = roleChanges(before.state, after.state, past());
      const timer = timerChange(before.state, after.state, past());
      const links = linkChanges(before.state, past());
      if (joined.length + left.length + roles.length > 0 || timer || links)
        onTimeline(after, { joined, left, roles, timer, links });
    }
    onChanged?.(after);
  }

  chainOf(group: G): RememberedChain<G> {
    return new RememberedChain(this.#parts.memory, this.#histories, group);
  }

  get(groupId: string): G {
    const group = this.#parts.memory.find(groupId);
    if (!group) throw new Error('a group that was just there is missing');
    return group;
  }
}

/** Reports whether the relay denies the user a group, or has none with this id. */
function isDenied(error: unknown): boolean {
  return error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
}
