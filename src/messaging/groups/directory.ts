/**
 * Groups as their chains say: who is a member, who may change what, and whether messages count. What the relay shows of a
 * group is held against the chain that it shows, and both against what was pinned before. While they do not agree, or
 * something is in the way of following the chain, nothing is sealed for the group, and the reason is told.
 *
 * Everything about one group happens in turn.
 */
import { Failure, type UnverifiableError } from '../../base/failure.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry, Ticket } from '../../protocol/roster/forms.ts';
import { type GroupMessage, judgeGroupMessage, type MessageVerdict } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isCreatorOrAdmin, isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';
import { signTicket } from '../../protocol/roster/tickets.ts';
import type { GroupMessageFacts, GroupVerdict, GroupVerdicts } from '../receiving/group-verdict.ts';
import { mayPass, RelayRefusal } from '../relay.ts';
import { GROUP_FRESH_FOR, type GroupNow, type GroupsNow } from '../sending/group.ts';
import { type Acted, type Action, act, isOfOldList } from './act.ts';
import { decidedAgainst, decidedForOther, placeOf, type RememberedGroup } from './chain-memory.ts';
import { weigh } from './evidence.ts';
import { found, type JoinProof, type NewGroup, prepareJoin } from './join.ts';
import { findOther } from './other-chain.ts';
import type { GroupParts, KnownGroup } from './parts.ts';
import type { GroupsForHello } from './post-hello.ts';
import { findGroupProblem, stopProblem } from './problems.ts';
import { GroupReader } from './reader.ts';
import { UselessEntries } from './useless-entries.ts';

/** How long a message that names what the relay does not show is held, in milliseconds. */
export const HELD_FOR = 24 * 3_600_000;

export class GroupDirectory<G extends RememberedGroup>
  implements GroupsNow, GroupsForHello, GroupVerdicts<G>
{
  readonly #parts: GroupParts<G>;
  readonly #reader: GroupReader<G>;
  /** By group: what is being done, one thing at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Of whom entries came that were of no use. */
  readonly #useless = new UselessEntries();

  constructor(parts: GroupParts<G>) {
    this.#parts = parts;
    this.#reader = new GroupReader(parts);
  }

  /**
   * A group with its members, not older than `freshFor` milliseconds, asked for again if need be.
   * @throws RelayRefusal 'not_a_member' or 'not_found', after noting it; UnverifiableError for a group of which nothing holds;
   *   RelayUnreachable; Failure if there is no room for another group
   */
  known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#reader.known(groupId, freshFor, true));
  }

  /** The same; its members are proven only where that is done early. @throws as {@link known} */
  seen(groupId: string, freshFor: number): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#reader.known(groupId, freshFor, false));
  }

  /**
   * Makes a group.
   * @throws Failure 'roster_act_refused'; RelayRefusal, RelayUnreachable
   */
  async create(group: NewGroup): Promise<KnownGroup<G>> {
    const { source, memory, signer, renewSigner, now } = this.#parts;
    const begin = () => found({ lists: this.#reader.lists, now }, signer(), group);
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
      if (!memory.find(state.groupId)) this.#reader.changed(null, memory.advance(state, taken));
      return this.#reader.known(state.groupId, 0, false);
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
        const group = await this.#reader.follow(groupId, true);
        this.#reader.requireChain(group);
        return group;
      };
      const before = await read();
      // The relay lets one join what it shows, and not another chain.
      if (!this.#reader.chainOf(before).has(hash)) throw stopProblem({ why: 'behind' });
      await this.#act(read, joining.make);
      return this.#reader.known(groupId, 0, false);
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
      const { entry } = await this.#act(() => this.#reader.readToChange(groupId), make, password);
      const known = await this.#reader.known(groupId, 0, false);
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
        () => this.#reader.readToChange(groupId),
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
      const { state } = await this.#reader.readToChange(groupId);
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
      () => this.#reader.readToChange(groupId),
      (state) => (isBehind(state) ? { kind: 'change' } : null),
    );
  }

  /** For sending. @throws UnverifiableError that says why nothing is sent; what {@link known} throws */
  now(groupId: string, freshFor: number): Promise<GroupNow> {
    return this.#now(groupId, freshFor, (group) => this.problem(group));
  }

  /** For sending a `hello`. @throws as {@link now}, but for a split */
  nowThoughSplit(groupId: string, freshFor: number): Promise<GroupNow> {
    const { nameOf } = this.#parts;
    return this.#now(groupId, freshFor, ({ notes }) => findGroupProblem({ ...notes, split: null }, nameOf));
  }

  async #now(
    groupId: string,
    freshFor: number,
    problemOf: (group: G) => UnverifiableError | null,
  ): Promise<GroupNow> {
    const { group: known, members, view } = await this.known(groupId, freshFor);
    const group = this.#reader.withStanding(known);
    const problem = problemOf(group);
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
    return this.#reader.isJoined(group);
  }

  /**
   * The person goes on with the chain that the relay shows, and with what dropped devices did in it; also with one that has
   * taken the place of the pinned one, once that is confirmed.
   * @throws UnverifiableError 'roster_unconfirmed' where it is not; what reading and changing the chain throws
   */
  goOn(groupId: string): Promise<G> {
    return this.#inTurn(groupId, async () => {
      const group = this.#reader.get(groupId);
      const { stop, split } = group.notes;
      if (stop?.why === 'replaced') return this.#goOnWithOther(group);
      const decided = split ? decidedAgainst(group.notes, entryHash(split)) : group.notes;
      return this.#reader.note(group, { ...decided, stoodUpTo: group.state.epoch });
    });
  }

  async #goOnWithOther(group: G): Promise<G> {
    const { memory, talk } = this.#parts;
    const parts = this.#actParts();
    const found = await findOther(parts, group, parts.signer().address);
    if (!found) return (await this.#reader.read(group.groupId, false)).group;
    const { fork, state, taken } = found.other;
    const lost = memory.after(group.groupId, fork.epoch).filter(({ body }) => body.kind === 'change');
    const hashes = lost.map(({ hash }) => hash);
    const after = memory.replace(state, taken, decidedForOther(group.notes, fork.epoch, hashes));
    this.#reader.changed(group, after);
    for (const entry of found.said) if (isRemoval(entry)) talk?.()?.spread(after, entry);
    return after;
  }

  /** The verdict on a message of a group. See {@link GroupVerdicts}. */
  async judgeMessage(message: GroupMessageFacts): Promise<GroupVerdict<G>> {
    const { groupId, sender, roster, receivedAt, isSigned, freshFor } = message;
    let group = await this.of(groupId);
    let verdict = judgeGroupMessage(this.#reader.chainOf(group), message);
    // A token's post may be allowed, and a bot be one of the group's, by an entry that was not read yet.
    const isSettled = verdict.verdict === 'shown' || verdict.verdict === 'not_a_member';
    if (!isSettled && !this.#reader.wasStopped(groupId, freshFor)) {
      group = (await this.seen(groupId, freshFor)).group;
      verdict = judgeGroupMessage(this.#reader.chainOf(group), message);
    }
    const heard = this.#verdictOn(group, message, verdict, this.#parts.now() < receivedAt + HELD_FOR);
    const talk = isSigned ? this.#parts.talk?.() : null;
    if (heard.is === 'held') talk?.ask(group, sender);
    const isByMember = message.voice.by === 'member';
    if (heard.is === 'shown' && isByMember && heard.unaware.length > 0) talk?.answer(group, sender, roster);
    return heard;
  }

  /**
   * What becomes of a message that was held, by what is known now, without asking.
   * @param mayWait whether it may be held on
   */
  judgeHeld(group: G, message: GroupMessage, mayWait: boolean): GroupVerdict<G> {
    const isYoung = this.#parts.now() < message.receivedAt + HELD_FOR;
    return this.#verdictOn(
      group,
      message,
      judgeGroupMessage(this.#reader.chainOf(group), message),
      mayWait && isYoung,
    );
  }

  #verdictOn(group: G, message: GroupMessage, verdict: MessageVerdict, mayWait: boolean): GroupVerdict<G> {
    const { sender } = message;
    const shown = () => ({
      is: 'shown' as const,
      group,
      manages: this.#reader.chainOf(group).manages(message),
    });
    switch (verdict.verdict) {
      case 'shown':
        return { ...shown(), unaware: verdict.unaware, bot: verdict.bot, isBeyond: false };
      case 'ask': {
        const { bot } = verdict;
        if (mayWait) return { is: 'held', group, bot };
        // Only a member of what is known is believed to know of more: a name that nobody knows admits nobody.
        if (!isMember(group.state, sender)) return { is: 'refused', why: 'not_a_member' };
        return { ...shown(), unaware: [], bot, isBeyond: true };
      }
      default:
        return { is: 'refused', why: verdict.verdict };
    }
  }

  /** Whether an address was in a group after an entry of its chain, as far as that is known here. */
  wasMember(groupId: string, address: string, epoch: number): boolean {
    const group = this.#parts.memory.find(groupId);
    return group !== null && this.#reader.chainOf(group).wasMember(address, epoch);
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
  async receiveHello(
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
      for (const entry of entries) await this.#weigh(groupId, sender, entry);
    });
    const group = this.#reader.get(groupId);
    if (roster && isMember(group.state, sender) && this.#reader.chainOf(group).isBefore(roster)) {
      this.#parts.talk?.()?.answer(group, sender, roster);
    }
  }

  async #weigh(groupId: string, sender: string, entry: RosterEntry): Promise<void> {
    let seen = this.#reader.get(groupId);
    if (this.#reader.has(seen, entry) || !this.#useless.mayCost(sender, this.#parts.now())) return;
    const parts = {
      ...this.#actParts(),
      note: (group: G, notes: G['notes']) => this.#reader.note(group, notes),
    };
    const weighed = await weigh(parts, seen, entry, async () => {
      seen = await this.#reader.follow(groupId);
      return seen;
    });
    this.#reader.changed(seen, this.#reader.get(groupId));
    const group = this.#reader.settled(this.#reader.get(groupId));
    if (weighed === 'proof') this.#parts.talk?.()?.passOn(group, entry);
    if (weighed === 'useless') this.#useless.note(sender, this.#parts.now());
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
    this.#reader.changed(before, acted.group);
    return acted;
  }

  #actParts() {
    const { source, memory, now, signer, renewSigner } = this.#parts;
    return { source, keeper: source, lists: this.#reader.lists, memory, now, signer, renewSigner };
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

function isRemoval(entry: RosterEntry): boolean {
  const json = openEntry(entry)?.json;
  return json?.kind === 'change' && json.remove !== undefined;
}
