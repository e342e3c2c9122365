/**
 * Groups according to their chains: members, rights, and verdicts on messages. The relay's view of a group
 * must agree with its chain, and both with the pinned chain. While they disagree, or the chain cannot be
 * followed, nothing is sealed for the group, and the reason is reported.
 *
 * Operations on one group run one after the other.
 *
 * Each method is one operation, and calls the parts that carry it out: ./join.ts, ./act.ts, ./follow.ts and the others of this
 * folder. Rules of a chain that need no relay belong in src/protocol/roster.
 */
import { Failure, type UnverifiableError } from '../../base/failure.ts';
import { entryHash } from '../../protocol/roster/entry.ts';
import type { RosterEntry, Ticket } from '../../protocol/roster/forms.ts';
import { type GroupMessage, judgeGroupMessage, type MessageVerdict } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { isCreatorOrAdmin, isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';
import { signTicket } from '../../protocol/roster/tickets.ts';
import type { GroupMessageFacts, GroupVerdict, GroupVerdicts } from '../receiving/group-verdict.ts';
import { isTransient, RelayRefusal } from '../relay.ts';
import { GROUP_FRESH_FOR, type GroupNow, type GroupsNow } from '../sending/group.ts';
import { type Acted, type Action, act, isOutdatedList } from './act.ts';
import { decidedAgainst, decidedForOther, placeOf, type RememberedGroup } from './chain-memory.ts';
import { weigh } from './evidence.ts';
import { found, type JoinProof, type NewGroup, prepareJoin } from './join.ts';
import { findOther } from './other-chain.ts';
import { entriesToRemoval, foldRemoval, removedIn } from './own-removal.ts';
import type { GroupParts, KnownGroup } from './parts.ts';
import type { GroupsForHello } from './post-hello.ts';
import { previewGroup } from './preview.ts';
import { findGroupProblem, stopProblem } from './problems.ts';
import { GroupReader } from './reader.ts';
import { UselessEntries } from './useless-entries.ts';

/** Longest wait of a message for an entry that the relay does not show, in milliseconds. */
export const PENDING_FOR = 24 * 3_600_000;

export class GroupDirectory<G extends RememberedGroup>
  implements GroupsNow, GroupsForHello, GroupVerdicts<G>
{
  readonly #parts: GroupParts<G>;
  readonly #reader: GroupReader<G>;
  /** Running operation by group, one at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Senders of useless entries. */
  readonly #useless = new UselessEntries();

  constructor(parts: GroupParts<G>) {
    this.#parts = parts;
    this.#reader = new GroupReader(parts);
  }

  /**
   * A group with its members, no older than `freshFor` milliseconds, read again if needed.
   * @throws RelayRefusal 'not_a_member' or 'not_found', after storing it; UnverifiableError for a group
   * without any valid entry; RelayUnreachable; Failure if there is no room for another group
   */
  known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#reader.known(groupId, freshFor, true));
  }

  /**
   * Same as {@link known}, but members are only proven if that is done early.
   * @throws as {@link known}
   */
  seen(groupId: string, freshFor: number): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, () => this.#reader.known(groupId, freshFor, false));
  }

  /**
   * Creates a group.
   * @throws Failure 'roster_act_refused'; RelayRefusal, RelayUnreachable
   */
  async create(group: NewGroup): Promise<KnownGroup<G>> {
    const { source, memory, signer, renewSigner, now } = this.#parts;
    const begin = () => found({ lists: this.#reader.lists, now }, signer(), group);
    let { request, state, accepted } = await begin();
    try {
      await source.foundGroup(request);
    } catch (error) {
      if (!(error instanceof RelayRefusal) || !isOutdatedList(error)) throw error;
      await renewSigner();
      ({ request, state, accepted } = await begin());
      await source.foundGroup(request);
    }
    return this.#inTurn(state.groupId, async () => {
      if (!memory.find(state.groupId)) this.#reader.changed(null, memory.advance(state, accepted));
      return this.#reader.known(state.groupId, 0, false);
    });
  }

  /**
   * Joins a group.
   * @throws RelayRefusal such as 'wrong_password' and 'roster_refused'; UnverifiableError for an invalid
   * chain; Failure 'roster_act_refused'; RelayUnreachable
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
      // Joining is valid for the chain that the relay shows, and no other.
      if (!this.#reader.chainOf(before).has(hash)) throw stopProblem({ why: 'behind' });
      await this.#act(read, joining.make);
      return this.#reader.known(groupId, 0, false);
    });
  }

  /**
   * A group that the user could join, as its chain shows it now; null if it is too long to read, or invalid. Stores nothing.
   * @throws RelayRefusal for an invalid proof; RelayUnreachable
   */
  async preview(groupId: string, proof: JoinProof): Promise<RosterState | null> {
    const { source, now } = this.#parts;
    const { admission } = await prepareJoin(groupId, this.#parts.signer().address, proof);
    return previewGroup({ source, lists: this.#reader.lists, now }, groupId, admission);
  }

  /**
   * Appends an own entry to a group of the user.
   * @param make the contents for a state; null if there is nothing to do. Called again if another entry came
   * first
   * @param password sent to the relay with a new `joinKey`
   * @throws Failure 'roster_act_refused'; the errors of `make`; UnverifiableError while the chain cannot be
   * followed; RelayRefusal, RelayUnreachable
   */
  change(
    groupId: string,
    make: (state: RosterState) => Action | null,
    password?: string,
  ): Promise<KnownGroup<G>> {
    return this.#inTurn(groupId, async () => {
      const { entry } = await this.#act(() => this.#reader.readToChange(groupId), make, password);
      const known = await this.#reader.known(groupId, 0, false);
      if (entry && removedIn(entry).length > 0) {
        this.#parts.talk?.()?.spread(known.group, entry);
        this.#parts.talk?.()?.inform(known.group, entry);
      }
      return known;
    });
  }

  /**
   * Removes members. After the relay has the entry, nothing is sealed for them.
   * @throws as {@link change}
   */
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
   * A ticket for an address, valid without anyone online.
   * @throws Failure 'roster_act_refused' without the right to invite; UnverifiableError, RelayRefusal,
   * RelayUnreachable
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
   * Appends an empty change to groups whose chain names an old list of the user's, if they may change the
   * group. The chain itself then excludes a device that they removed.
   * @throws RelayUnreachable, RelayRefusal if transient
   */
  async confirmDevices(groups: Iterable<G>): Promise<void> {
    for (const { groupId } of groups) {
      try {
        await this.#inTurn(groupId, () => this.#confirmDevices(groupId));
      } catch (error) {
        if (isTransient(error) || !(error instanceof Failure)) throw error;
        // The problem of this group is shown in the group itself.
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

  /**
   * For sending.
   * @throws UnverifiableError with the reason for not sending; the errors of {@link known}
   */
  now(groupId: string, freshFor: number): Promise<GroupNow> {
    return this.#now(groupId, freshFor, (group) => this.problem(group));
  }

  /**
   * For sending a `hello`.
   * @throws as {@link now}, except for a split
   */
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
    const group = this.#reader.checkDropped(known);
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

  /** Known reason for not sending to a group; null if sending is possible. */
  problem(group: G): UnverifiableError | null {
    return findGroupProblem(group.notes, this.#parts.nameOf);
  }

  /** Reports whether the user is in a group. */
  isJoined(group: G): boolean {
    return this.#reader.isJoined(group);
  }

  /**
   * Continues with the relay's chain, including acts of removed devices, by decision of the person. Also
   * accepts a chain in place of the pinned one after it is confirmed.
   * @throws UnverifiableError 'roster_unconfirmed' before that; the errors of reading and changing the chain
   */
  goOn(groupId: string): Promise<G> {
    return this.#inTurn(groupId, async () => {
      const group = this.#reader.get(groupId);
      const { stop, split, pin } = group.notes;
      if (pin) return this.#goOnWithout(group);
      if (stop?.why === 'replaced') return this.#goOnWithOther(group);
      const decided = split ? decidedAgainst(group.notes, entryHash(split)) : group.notes;
      return this.#reader.note(group, { ...decided, acceptedUpTo: group.state.epoch });
    });
  }

  /** Continues without the entry of a history, which proves nothing: the relay's chain is as for a new member. */
  async #goOnWithout(group: G): Promise<G> {
    this.#reader.note(group, { ...group.notes, pin: null, stop: null });
    return (await this.#reader.read(group.groupId, false)).group;
  }

  async #goOnWithOther(group: G): Promise<G> {
    const { memory, talk } = this.#parts;
    const parts = this.#actParts();
    const found = await findOther(parts, group, parts.signer().address);
    if (!found) return (await this.#reader.read(group.groupId, false)).group;
    const { fork, state, accepted } = found.other;
    const lost = memory.after(group.groupId, fork.epoch).filter(({ body }) => body.kind === 'change');
    const hashes = lost.map(({ hash }) => hash);
    const after = memory.replace(state, accepted, decidedForOther(group.notes, fork.epoch, hashes));
    this.#reader.changed(group, after);
    for (const entry of found.restated) if (removedIn(entry).length > 0) talk?.()?.spread(after, entry);
    return after;
  }

  /** The verdict on a message of a group. See {@link GroupVerdicts}. */
  async judgeMessage(message: GroupMessageFacts): Promise<GroupVerdict<G>> {
    const { groupId, sender, roster, receivedAt, isSigned, freshFor } = message;
    let group = await this.of(groupId);
    let verdict = judgeGroupMessage(this.#reader.chainOf(group), message);
    // An unread entry may allow a token's post, or add its bot.
    const isSettled = verdict.verdict === 'shown' || verdict.verdict === 'not_a_member';
    if (!isSettled && !this.#reader.wasStopped(groupId, freshFor)) {
      group = (await this.seen(groupId, freshFor)).group;
      verdict = judgeGroupMessage(this.#reader.chainOf(group), message);
    }
    const final = this.#verdictOn(group, message, verdict, this.#parts.now() < receivedAt + PENDING_FOR);
    const talk = isSigned ? this.#parts.talk?.() : null;
    if (final.is === 'pending') talk?.requestEntry(group, sender);
    const isByMember = message.authorship.by === 'member';
    if (final.is === 'shown' && isByMember && final.unaware.length > 0) talk?.answer(group, sender, roster);
    return final;
  }

  /**
   * The verdict on a waiting message by the current knowledge, without calls.
   * @param mayWait whether it may wait longer
   */
  judgePending(group: G, message: GroupMessage, mayWait: boolean): GroupVerdict<G> {
    const isYoung = this.#parts.now() < message.receivedAt + PENDING_FOR;
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
        if (mayWait) return { is: 'pending', group, bot };
        // Only a known member may refer to unknown entries: an unknown name does not prove a membership.
        if (!isMember(group.state, sender)) return { is: 'refused', why: 'not_a_member' };
        return { ...shown(), unaware: [], bot, isBeyond: true };
      }
      default:
        return { is: 'refused', why: verdict.verdict };
    }
  }

  /** Reports whether an address was a member after an entry of a chain, as far as it is known here. */
  wasMember(groupId: string, address: string, epoch: number): boolean {
    const group = this.#parts.memory.find(groupId);
    return group !== null && this.#reader.chainOf(group).wasMember(address, epoch);
  }

  /** For receiving: a group of the user, read if it is unknown. */
  async of(groupId: string): Promise<G> {
    const known = this.#parts.memory.find(groupId);
    if (known && this.isJoined(known)) return known;
    const { group } = await this.seen(groupId, GROUP_FRESH_FOR);
    if (!this.isJoined(group)) throw new RelayRefusal(403, 'not_a_member', '');
    return group;
  }

  /**
   * For receiving: a `hello` about a group.
   * @param entries attached ones, unproven
   */
  async receiveHello(
    sender: string,
    {
      groupId,
      roster,
      entries,
    }: { groupId: string; roster: RosterReference | null; entries: readonly RosterEntry[] },
  ): Promise<void> {
    const known = this.#parts.memory.find(groupId);
    if (!known || (await this.#inTurn(groupId, () => this.#isRemovedBy(groupId, sender, entries)))) return;
    if (!this.isJoined(known)) return;
    await this.#inTurn(groupId, async () => {
      for (const entry of entries) await this.#weigh(groupId, sender, entry);
    });
    const group = this.#reader.get(groupId);
    if (roster && isMember(group.state, sender) && this.#reader.chainOf(group).isBefore(roster)) {
      this.#parts.talk?.()?.answer(group, sender, roster);
    }
  }

  /**
   * Stores the removal of the user by entries from a member, if the relay denies access to the group: without
   * that, an entry that was never posted would end the membership.
   * @returns whether it was stored
   */
  async #isRemovedBy(groupId: string, sender: string, entries: readonly RosterEntry[]): Promise<boolean> {
    const { memory, now } = this.#parts;
    const own = this.#parts.own();
    const before = this.#reader.get(groupId);
    const removal = own === null ? [] : entriesToRemoval(before.state, entries, own);
    if (own === null || removal.length === 0 || !this.#useless.mayCost(sender, now())) return false;
    try {
      await this.#reader.follow(groupId);
      return false;
    } catch (error) {
      if (!isDenied(error)) throw error;
    }
    const folded = await foldRemoval({ lists: this.#reader.lists, now }, before.state, removal, own);
    if (folded) this.#reader.changed(before, memory.advance(folded.state, folded.accepted));
    else this.#useless.note(sender, now());
    return folded !== null;
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

/** Reports whether the relay answered that the user is no member, or that it has no such group. */
function isDenied(error: unknown): boolean {
  return error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
}
