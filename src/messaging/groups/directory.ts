/**
 * Groups as their chains say: who is a member, who may change what, and whether messages count. What the relay shows of a
 * group is held against the chain that it shows, and both against what was pinned before. While they do not agree, or
 * something is in the way of following the chain, nothing is sealed for the group, and the reason is told.
 *
 * Everything about one group happens in turn.
 */
import { Failure, type UnverifiableError } from '../../base/failure.ts';
import { RecentMap } from '../../protocol/recent-map.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry, Ticket } from '../../protocol/roster/forms.ts';
import type { RosterSigner } from '../../protocol/roster/making.ts';
import { type GroupMessage, judgeGroupMessage, type MessageVerdict } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import {
  isCreatorOrAdmin,
  isMember,
  membersOf,
  personOf,
  type RosterState,
} from '../../protocol/roster/state.ts';
import { signTicket } from '../../protocol/roster/tickets.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import { MOST_HELLO_ITEMS } from '../contents/kinds/hello.ts';
import type { GroupsHeard, Heard, HeardMessage } from '../receiving/arrival.ts';
import { type GroupSource, mayPass, RelayRefusal } from '../relay.ts';
import { GROUP_FRESH_FOR, type GroupNow, type GroupsNow } from '../sending/group.ts';
import type { KeyDirectory, Member } from '../trust/directory.ts';
import { SignerLists } from '../trust/signer-lists.ts';
import { type Acted, type Action, act, isOfOldList } from './act.ts';
import { BRING_BACK_EVERY, bringBack } from './bring-back.ts';
import { RememberedChain } from './chain.ts';
import {
  type ChainStop,
  decidedAgainst,
  type GroupMemory,
  type GroupNotes,
  type RememberedGroup,
} from './chain-memory.ts';
import { weigh } from './evidence.ts';
import { follow } from './follow.ts';
import { found, type JoinProof, type NewGroup, prepareJoin } from './join.ts';
import { droppedIn, findGroupProblem, stopProblem } from './problems.ts';

/** How long a message that names what the relay does not show is held, in milliseconds. */
export const HELD_FOR = 24 * 3_600_000;
/** Of so many groups it is remembered when the relay was given back last what it had lost. */
const MOST_BROUGHT = 1_000;
/** How often a group is read again that changes while it is read. */
const MOST_READS = 3;

/** A group, and what is proven of its members. */
export interface KnownGroup<G extends RememberedGroup> {
  group: G;
  members: Member[];
  /** What the relay shows, which agrees with the chain; null where it was not asked, or does not agree. */
  view: GroupView | null;
}

/** Who came and who left. */
export interface MembersChange {
  joined: string[];
  left: string[];
}

/** What the words of members make this device say to them (./hellos.ts). */
export interface GroupTalk<G extends RememberedGroup> {
  /** Someone names an entry that the relay does not show: they are asked for it. */
  ask(group: G, sender: string): void;
  /** Someone knows less than is known here, or what they named: they are told. */
  answer(group: G, sender: string, named: RosterReference): void;
  /** All members are to see an entry: a removal, or the proof of a split. */
  spread(group: G, entry: RosterEntry): void;
}

export interface GroupParts<G extends RememberedGroup> {
  source: GroupSource;
  keys: KeyDirectory;
  memory: GroupMemory<G>;
  /** The user's address; null before it is known. */
  own(): string | null;
  /** The device that signs entries. @throws RelayUnreachable, IdentityError where there is none */
  signer(): RosterSigner;
  /** Asks for the newest own device list: another device of the user's may have changed it. @throws as any call */
  renewSigner(): Promise<void>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether members are proven, and so known by name, as soon as they are seen. Else only before something is sealed. */
  provesEarly: boolean;
  /** The owner of an address as they are called in a sentence; the address unless given. */
  nameOf?: (address: string) => string;
  /** Told whenever members came or left. */
  onMembers?(group: G, change: MembersChange): void;
  /** Told whenever something changed that a person can see. */
  onChanged?(group: G): void;
  /** Null where nobody is told anything. */
  talk?: () => GroupTalk<G> | null;
}

export class GroupDirectory<G extends RememberedGroup> implements GroupsNow, GroupsHeard<G> {
  readonly #parts: GroupParts<G>;
  readonly #lists: SignerLists;
  /** By group: what is being done, one thing at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** By group: when the relay was given back last what it had lost, in milliseconds since 1970. */
  readonly #broughtAt = new RecentMap<string, number>(MOST_BROUGHT);

  constructor(parts: GroupParts<G>) {
    this.#parts = parts;
    this.#lists = new SignerLists(parts.source, parts.keys, parts.now);
  }

  /**
   * A group with its members, not older than `freshFor` milliseconds, asked for again if need be.
   * @throws RelayRefusal 'not_a_member' or 'not_found', after noting it; UnverifiableError for a group of which nothing holds;
   *   RelayUnreachable; Failure if there is no room for another group
   */
  known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#known(groupId, freshFor, true));
  }

  /** The same; its members are proven only where that is done early. @throws as {@link known} */
  seen(groupId: string, freshFor: number): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#known(groupId, freshFor, false));
  }

  /**
   * Makes a group.
   * @throws Failure 'roster_act_refused'; RelayRefusal, RelayUnreachable
   */
  async create(group: NewGroup): Promise<KnownGroup<G>> {
    const { source, memory, signer, renewSigner, now } = this.#parts;
    const begin = () => found({ lists: this.#lists, now }, signer(), group);
    let { request, state, taken } = await begin();
    try {
      await source.foundGroup(request);
    } catch (error) {
      if (!(error instanceof RelayRefusal) || !isOfOldList(error)) throw error;
      await renewSigner();
      ({ request, state, taken } = await begin());
      await source.foundGroup(request);
    }
    return this.#inTurn(state.groupId, async () => {
      if (!memory.find(state.groupId)) this.#changed(null, memory.advance(state, taken));
      return this.#known(state.groupId, 0, false);
    });
  }

  /**
   * Joins a group.
   * @throws RelayRefusal such as 'wrong_password' and 'roster_refused'; UnverifiableError if the chain does not hold;
   *   Failure 'roster_act_refused'; RelayUnreachable
   */
  async join(groupId: string, proof: JoinProof): Promise<KnownGroup<G>> {
    const own = this.#parts.signer().address;
    const joining = await prepareJoin(groupId, own, proof);
    return this.#inTurn(groupId, async () => {
      const { hash } = await this.#parts.source.admit(groupId, joining.admission);
      const read = async () => {
        const group = await this.#follow(groupId);
        this.#requireChain(group);
        return group;
      };
      const before = await read();
      // The relay lets one join what it shows, and not another chain.
      if (!this.#chainOf(before).has(hash)) throw stopProblem({ why: 'behind' });
      await this.#act(read, joining.make);
      return this.#known(groupId, 0, false);
    });
  }

  /**
   * Appends an entry of the user's own to a group that they are in.
   * @param make what to append to a state; null where there is nothing to do. Asked again when another came first
   * @param password what the relay is told with a new `joinKey`
   * @throws Failure 'roster_act_refused'; what `make` throws; UnverifiableError while the chain cannot be followed;
   *   RelayRefusal, RelayUnreachable
   */
  change(
    groupId: string,
    make: (state: RosterState) => Action | null,
    password?: string,
  ): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, async () => {
      const { entry } = await this.#act(() => this.#readToChange(groupId), make, password);
      const known = await this.#known(groupId, 0, false);
      if (entry && isRemoval(entry)) this.#parts.talk?.()?.spread(known.group, entry);
      return known;
    });
  }

  /** Removes members. Nothing is sealed for them any more once the relay has the entry. @throws as {@link change} */
  remove(groupId: string, addresses: readonly string[]): Promise<KnownGroup<G>> {
    return this.change(groupId, (state) => {
      const remove = addresses.filter((address) => isMember(state, address));
      return remove.length > 0 ? { kind: 'change', remove } : null;
    });
  }

  /** The user leaves. @throws as {@link change} */
  leave(groupId: string): Promise<G> {
    return this.#inTurn(groupId, async () => {
      const own = this.#parts.signer().address;
      const { group } = await this.#act(
        () => this.#readToChange(groupId),
        (state) => (isMember(state, own) ? { kind: 'leave' } : null),
      );
      return group;
    });
  }

  /**
   * A ticket with which an address can join, though nobody is online.
   * @throws Failure 'roster_act_refused' for one who may not invite; UnverifiableError, RelayRefusal, RelayUnreachable
   */
  ticketFor(groupId: string, address: string): Promise<Ticket> {
    return this.#inTurn(groupId, async () => {
      const { state } = await this.#readToChange(groupId);
      const signer = this.#parts.signer();
      if (!isCreatorOrAdmin(state, signer.address)) {
        throw new Failure('roster_act_refused', { reason: 'not_allowed' });
      }
      return signTicket(state, signer, address, this.#parts.now());
    });
  }

  /**
   * Appends an empty change to the groups whose chain names an older list of the user's than the newest, where they may
   * change something: so the chain itself shuts out a device that they removed.
   * @throws RelayUnreachable, RelayRefusal where that may pass
   */
  async confirmDevices(groups: Iterable<G>): Promise<void> {
    for (const { groupId } of groups) {
      try {
        await this.#inTurn(groupId, () => this.#confirmDevices(groupId));
      } catch (error) {
        if (mayPass(error) || !(error instanceof Failure)) throw error;
        // What is in the way of changing this group is told where the person looks at it.
      }
    }
  }

  async #confirmDevices(groupId: string): Promise<void> {
    const { address, list } = this.#parts.signer();
    const isBehind = (state: RosterState) =>
      isCreatorOrAdmin(state, address) && (personOf(state, address)?.list ?? list) < list;
    const group = this.#parts.memory.find(groupId);
    if (!group || !isBehind(group.state)) return;
    await this.#act(
      () => this.#readToChange(groupId),
      (state) => (isBehind(state) ? { kind: 'change' } : null),
    );
  }

  /** For sending. @throws UnverifiableError that says why nothing is sent; what {@link known} throws */
  async now(groupId: string, freshFor: number): Promise<GroupNow> {
    const { group: known, members, view } = await this.known(groupId, freshFor);
    const group = this.#withStanding(known);
    const problem = this.problem(group);
    if (problem) throw problem;
    return {
      isMember: this.isJoined(group),
      members,
      roster: placeOf(group.state),
      shownKeys: view && Object.values(view.memberDeviceKeys).flat(),
    };
  }

  expire(groupId: string): void {
    const group = this.#parts.memory.find(groupId);
    if (group) this.#parts.memory.fetched(group, 0);
  }

  /** Why nothing is sent to a group, as far as it is known; null if something is. */
  problem(group: G): UnverifiableError | null {
    return findGroupProblem(group.notes, this.#parts.nameOf);
  }

  /** Whether the user is in a group. */
  isJoined(group: G): boolean {
    return isJoined(group, this.#parts.own());
  }

  /** The person goes on with the chain that the relay shows, and with what dropped devices did in it. */
  goOn(groupId: string): G {
    const group = this.#get(groupId);
    const { split } = group.notes;
    const decided = split ? decidedAgainst(group.notes, entryHash(split)) : group.notes;
    return this.#note(group, { ...decided, stoodUpTo: group.state.epoch });
  }

  /** For receiving: what becomes of a message of a group. See {@link GroupsHeard}. */
  async hear(message: HeardMessage): Promise<Heard<G>> {
    const { groupId, sender, roster, receivedAt, isSigned, freshFor } = message;
    let group = await this.of(groupId);
    let verdict = judgeGroupMessage(this.#chainOf(group), message);
    if (verdict.verdict === 'ask') {
      group = (await this.seen(groupId, freshFor)).group;
      verdict = judgeGroupMessage(this.#chainOf(group), message);
    }
    const heard = this.#heardAs(group, message, verdict, this.#parts.now() < receivedAt + HELD_FOR);
    const talk = isSigned ? this.#parts.talk?.() : null;
    if (heard.is === 'held') talk?.ask(group, sender);
    if (heard.is === 'shown' && heard.unaware.length > 0) talk?.answer(group, sender, roster);
    return heard;
  }

  /**
   * What becomes of a message that was held, by what is known now, without asking.
   * @param mayWait whether it may be held on
   */
  judgeHeld(group: G, message: GroupMessage, mayWait: boolean): Heard<G> {
    const isYoung = this.#parts.now() < message.receivedAt + HELD_FOR;
    return this.#heardAs(
      group,
      message,
      judgeGroupMessage(this.#chainOf(group), message),
      mayWait && isYoung,
    );
  }

  #heardAs(group: G, { sender }: GroupMessage, verdict: MessageVerdict, mayWait: boolean): Heard<G> {
    if (verdict.verdict === 'not_a_member') return { is: 'refused', why: 'sender_not_in_group' };
    if (verdict.verdict === 'shown') return { is: 'shown', group, unaware: verdict.unaware, isBeyond: false };
    if (mayWait) return { is: 'held', group };
    // Only a member of what is known is believed to know of more: a name that nobody knows admits nobody.
    if (!isMember(group.state, sender)) return { is: 'refused', why: 'sender_not_in_group' };
    return { is: 'shown', group, unaware: [], isBeyond: true };
  }

  /** For receiving: a group that the user is in, asked for if it is not known. */
  async of(groupId: string): Promise<G> {
    const known = this.#parts.memory.find(groupId);
    if (known && this.isJoined(known)) return known;
    const { group } = await this.seen(groupId, GROUP_FRESH_FOR);
    if (!this.isJoined(group)) throw new RelayRefusal(403, 'not_a_member', '');
    return group;
  }

  /** For receiving: a `hello` about a group. @param entries what it hands over, unproven */
  async heardHello(
    sender: string,
    {
      groupId,
      roster,
      entries,
    }: { groupId: string; roster: RosterReference | null; entries: readonly RosterEntry[] },
  ): Promise<void> {
    const known = this.#parts.memory.find(groupId);
    if (!known || !this.isJoined(known)) return;
    await this.#inTurn(groupId, async () => {
      for (const entry of entries) {
        const isProof = await weigh(
          { ...this.#actParts(), memory: this.#parts.memory },
          this.#get(groupId),
          entry,
          async () => this.#follow(groupId),
        );
        if (!isProof) continue;
        const group = this.#get(groupId);
        this.#parts.onChanged?.(group);
        this.#parts.talk?.()?.spread(group, entry);
      }
    });
    const group = this.#get(groupId);
    if (roster && isMember(group.state, sender) && this.#chainOf(group).isBefore(roster)) {
      this.#parts.talk?.()?.answer(group, sender, roster);
    }
  }

  async #known(groupId: string, freshFor: number, isProven: boolean): Promise<KnownGroup<G>> {
    const { memory, keys, now } = this.#parts;
    const group = memory.find(groupId);
    const isFresh = group && !group.notes.stop && now() - group.fetchedAt < freshFor;
    if (isFresh && this.isJoined(group)) {
      return { group, members: keys.members(membersOf(group.state)), view: null };
    }
    return this.#read(groupId, isProven);
  }

  /** Reads a group and its chain, and holds one against the other. */
  async #read(groupId: string, isProven: boolean): Promise<KnownGroup<G>> {
    const { keys, memory, now, provesEarly } = this.#parts;
    const since = now();
    for (let reads = 0; reads < MOST_READS; reads++) {
      const view = await this.#view(groupId);
      const shown = placeIn(view);
      const before = memory.find(groupId);
      const isPinned = before?.state.hash === shown.hash && !before.notes.stop;
      const group = isPinned ? before : await this.#follow(groupId);
      if (group.notes.stop) return this.#asRemembered(group);
      if (group.state.epoch > shown.epoch && reads < MOST_READS - 1) continue;
      if (!this.#agrees(view, group)) {
        if (await this.#broughtBack(group, shown)) return this.#read(groupId, isProven);
        return this.#asRemembered(this.#stop(group, { why: 'behind' }));
      }
      const members = isProven || provesEarly ? await keys.learnMembers(view) : [];
      const current = this.#withStanding(this.#get(groupId));
      return { group: memory.fetched(current, since, view), members, view };
    }
    throw new Error('a group was read for the last time and not held against its chain');
  }

  /** Whether the relay, which shows an earlier state of the chain, has taken what it had lost. */
  async #broughtBack(group: G, shown: RosterReference): Promise<boolean> {
    const { memory, source, now } = this.#parts;
    const { groupId } = group;
    if (!this.#chainOf(group).isBefore(shown)) return false;
    if (now() - (this.#broughtAt.get(groupId) ?? 0) < BRING_BACK_EVERY) return false;
    this.#broughtAt.set(groupId, now());
    return bringBack(source, groupId, memory.whole(groupId), shown.epoch);
  }

  #asRemembered(group: G): KnownGroup<G> {
    return { group, members: this.#parts.keys.members(membersOf(group.state)), view: null };
  }

  /** Whether what the relay shows of a group is what its chain comes to. */
  #agrees(view: GroupView, { state }: G): boolean {
    const { members } = view;
    const shown = placeIn(view);
    if (shown.epoch !== state.epoch || shown.hash !== state.hash) return false;
    return members.length === state.memberCount && members.every((address) => isMember(state, address));
  }

  async #view(groupId: string): Promise<GroupView> {
    try {
      return await this.#parts.source.group(groupId);
    } catch (error) {
      const isOver = error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
      const group = isOver ? this.#parts.memory.find(groupId) : null;
      if (group && this.isJoined(group)) await this.#shut(group);
      throw error;
    }
  }

  /** The relay does not show the group any more: the chain may tell why, or it is the relay's word. */
  async #shut(group: G): Promise<void> {
    const current = await this.#follow(group.groupId).catch((error: unknown) => {
      if (error instanceof RelayRefusal) return this.#get(group.groupId);
      throw error;
    });
    if (!this.isJoined(current)) return;
    this.#stop(current, { why: 'shut' });
    // It may have gone back to a backup from before the user joined. An owner can give it back the join.
    const { creator, admins, epoch } = current.state;
    const [owner] = [...(creator === null ? [] : [creator]), ...admins];
    const since = Math.max(0, epoch - MOST_HELLO_ITEMS);
    if (owner)
      this.#parts
        .talk?.()
        ?.answer(current, owner, { epoch: since, hash: this.#chainOf(current).hashAt(since) });
  }

  /** Takes what the relay shows of the chain. @throws UnverifiableError if nothing of it holds */
  async #follow(groupId: string): Promise<G> {
    const { memory, source, now } = this.#parts;
    const before = memory.find(groupId);
    const { group, stop } = await follow({ source, lists: this.#lists, memory, now }, groupId);
    if (!group) throw stopProblem(stop ?? { why: 'behind' }, this.#parts.nameOf);
    this.#changed(before, group);
    return this.#stop(this.#withoutSplit(group), stop);
  }

  /** The relay shows the entry by now that it did not show: there is one chain again. */
  #withoutSplit(group: G): G {
    const { split } = group.notes;
    const epoch = (split && openEntry(split)?.json.epoch) ?? 0;
    if (!split || this.#chainOf(group).hashAt(epoch) !== entryHash(split)) return group;
    return this.#note(group, { ...group.notes, split: null });
  }

  #stop(group: G, stop: ChainStop | null): G {
    return this.#note(group, { ...group.notes, stop });
  }

  /** Looks whether the devices that changed the group last still stand. */
  #withStanding(group: G): G {
    const { memory, keys } = this.#parts;
    const dropped = droppedIn(memory, group, (address) => keys.trustIn(address));
    return this.#note(group, { ...group.notes, dropped });
  }

  #note(group: G, notes: GroupNotes): G {
    if (JSON.stringify(group.notes) === JSON.stringify(notes)) return group;
    const after = this.#parts.memory.note(group, notes);
    this.#parts.onChanged?.(after);
    return after;
  }

  async #act(
    read: () => Promise<G>,
    make: (state: RosterState) => Action | null,
    password?: string,
  ): Promise<Acted<G>> {
    let before: G | null = null;
    const acted = await act(
      this.#actParts(),
      async () => {
        before = await read();
        return before;
      },
      make,
      password,
    );
    this.#changed(before, acted.group);
    return acted;
  }

  #actParts() {
    const { source, memory, now, signer, renewSigner } = this.#parts;
    return { source, keeper: source, lists: this.#lists, memory, now, signer, renewSigner };
  }

  /** The group as it is shown now. What cannot be followed to its end is not changed. */
  async #readToChange(groupId: string): Promise<G> {
    const group = await this.#follow(groupId);
    this.#requireChain(group);
    return group;
  }

  #requireChain({ notes: { stop } }: G): void {
    if (stop) throw stopProblem(stop, this.#parts.nameOf);
  }

  #changed(before: G | null, after: G): void {
    if (before?.state.epoch === after.state.epoch) return;
    const { onMembers, onChanged } = this.#parts;
    if (before && onMembers) {
      const [was, is] = [membersOf(before.state), membersOf(after.state)];
      const joined = is.filter((address) => !isMember(before.state, address));
      const left = was.filter((address) => !isMember(after.state, address));
      if (joined.length + left.length > 0) onMembers(after, { joined, left });
    }
    onChanged?.(after);
  }

  #chainOf(group: G): RememberedChain<G> {
    return new RememberedChain(this.#parts.memory, group);
  }

  #get(groupId: string): G {
    const group = this.#parts.memory.find(groupId);
    if (!group) throw new Error('a group that was just there is missing');
    return group;
  }

  #inTurn<T>(groupId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(groupId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#turns.set(groupId, turn);
    const forget = () => {
      if (this.#turns.get(groupId) === turn) this.#turns.delete(groupId);
    };
    turn.then(forget, forget);
    return turn;
  }
}

/** Whether someone is in a group, and the relay lets them read it. @param own null where nobody's address is known */
export function isJoined({ state, notes }: RememberedGroup, own: string | null): boolean {
  return notes.stop?.why !== 'shut' && (own === null || isMember(state, own));
}

/** The newest entry that the relay names beside a group. */
function placeIn({ roster }: GroupView): RosterReference {
  return roster ?? { epoch: 0, hash: '' };
}

/** How bodies name the newest entry of a state. */
export function placeOf({ epoch, hash }: RosterState): RosterReference {
  if (hash === null) throw new Error('a group without its first entry');
  return { epoch, hash };
}

function isRemoval(entry: RosterEntry): boolean {
  const json = openEntry(entry)?.json;
  return json?.kind === 'change' && json.remove !== undefined;
}
