/**
 * Groups at the relay, and what this device makes of them: what the relay shows is remembered, what changed in it is
 * told in the timeline, and members' keys count only as far as their wallets signed them.
 */
import type { RelayApi } from '../client/api.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal } from '../client/http.ts';
import { mayBeDone } from '../messaging/relay.ts';
import { GROUP_FRESH_FOR, type GroupNow, type GroupsNow } from '../messaging/sending/group.ts';
import type { Member } from '../messaging/trust/directory.ts';
import {
  checkRoster,
  judgeRoster,
  type MembersMemory,
  removedByOwnDevice,
  withConfirmation,
  withDeparture,
} from '../messaging/trust/members.ts';
import { randomBytes } from '../protocol/crypto.ts';
import { membersHash } from '../protocol/members-hash.ts';
import type { GroupView } from '../protocol/schemas/groups.ts';
import type { StoredConversation } from './cache/conversations.ts';
import { believedMembers, MOST_GROUPS, type StoredGroup } from './cache/groups.ts';
import type { StoredEvent } from './cache/messages.ts';
import type { Context } from './context.ts';
import type { Directory } from './directory.ts';
import { hashesBetween } from './members-between.ts';

/** Groups that are looked at after one look at the list of own groups. The next look goes on. */
const MOST_LOOKS = 200;

export interface KnownGroup {
  group: StoredGroup;
  members: Member[];
  /** What the relay showed; null where it was not asked. */
  view: GroupView | null;
}

export class GroupDirectory implements GroupsNow {
  readonly #context: Context;
  readonly #relay: RelayApi;
  readonly #directory: Directory;
  readonly #own: string;
  /** By group: what is being asked, one call at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(context: Context, relay: RelayApi, directory: Directory, own: string) {
    this.#context = context;
    this.#relay = relay;
    this.#directory = directory;
    this.#own = own;
  }

  /**
   * A group with its members, not older than `freshFor`, asked for anew if need be.
   * @throws RelayRefusal 'not_a_member', after noting that the person is none any more; RelayUnreachable, UnverifiableError
   */
  known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup> {
    return this.#inTurn(groupId, () => this.#known(groupId, freshFor));
  }

  /**
   * Makes a call that is answered with a group, and remembers the answer.
   * @param isOwnAct the user joins the group by it
   * @throws what the call throws; UnverifiableError, RelayRefusal, RelayUnreachable
   */
  answered(groupId: string, call: () => Promise<GroupView>, isOwnAct = false): Promise<KnownGroup> {
    return this.#inTurn(groupId, async () => this.#remember(await call(), isOwnAct));
  }

  /**
   * Remembers a group that the user has just made.
   * @throws UnverifiableError, RelayRefusal, RelayUnreachable
   */
  made(view: GroupView): Promise<KnownGroup> {
    // Where it is known by now, it was asked for after this answer, which may be older.
    return this.#inTurn(view.id, () =>
      this.#context.groups.find(view.id) ? this.#known(view.id, 0) : this.#remember(view, true),
    );
  }

  #inTurn(groupId: string, ask: () => Promise<KnownGroup>): Promise<KnownGroup> {
    const before = this.#turns.get(groupId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(ask);
    this.#turns.set(groupId, turn);
    const forget = () => {
      if (this.#turns.get(groupId) === turn) this.#turns.delete(groupId);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** The same for sending. */
  async now(groupId: string, freshFor: number): Promise<GroupNow> {
    const { group, members, view } = await this.known(groupId, freshFor);
    return {
      isMember: group.joined,
      believed: believedMembers(group),
      members,
      shownKeys: view && Object.values(view.memberDeviceKeys).flat(),
    };
  }

  expire(groupId: string): void {
    const group = this.#context.groups.find(groupId);
    if (group) this.#context.groups.expire(group.id);
  }

  async #known(groupId: string, freshFor: number): Promise<KnownGroup> {
    const { groups, now } = this.#context;
    const group = groups.find(groupId);
    if (group?.joined && now() - group.fetchedAt < freshFor) {
      return { group, members: this.#directory.keys.members(group.members), view: null };
    }
    return this.#remember(await this.#ask(groupId, group));
  }

  /**
   * Learns of groups that the person is in and this device does not know: joined on another device, or made a moment
   * before the app was killed; and of those that they are no more in.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async sync(): Promise<void> {
    const mine = new Set((await this.#relay.groups({ mine: true }, MOST_GROUPS)).map(({ id }) => id));
    const { groups } = this.#context;
    const joined = groups.joined();
    const unknown = [...mine].filter((id) => !joined.some(({ groupId }) => groupId === id));
    const gone = joined.filter(({ groupId }) => !mine.has(groupId));
    const doubtful = [...gone.map(({ groupId }) => groupId), ...unknown];
    for (const groupId of doubtful.slice(0, MOST_LOOKS)) {
      await this.known(groupId, 0).catch((error) => {
        // What is over was noted as such; one group that lies does not hide the others.
        if (error instanceof RelayRefusal || error instanceof UnverifiableError) return;
        throw error;
      });
    }
  }

  async #ask(groupId: string, group: StoredGroup | null): Promise<GroupView> {
    try {
      return await this.#relay.group(groupId);
    } catch (error) {
      const isOver =
        error instanceof RelayRefusal && (error.code === 'not_a_member' || error.code === 'not_found');
      if (isOver && group?.joined) this.leave(group.id);
      throw error;
    }
  }

  /**
   * Remembers what the relay shows of a group, and tells in its timeline what that changes. Whoever departed once and
   * is shown again counts as no member until the user confirms it.
   * In turn alone: an answer from before another must not be remembered after it.
   * @param isOwnAct the user has just made or joined the group
   * @throws UnverifiableError if the relay's own hash does not fit its members, or the person is none of them;
   *   RelayRefusal, RelayUnreachable
   */
  async #remember(view: GroupView, isOwnAct = false): Promise<KnownGroup> {
    checkRoster(view, this.#own);
    const members = await this.#directory.keys.learnMembers(view);
    const { before, group } = this.#save(view, isOwnAct);
    const changes =
      before?.joined && group.joined ? changesBetween(believedMembers(before), believedMembers(group)) : [];
    this.#tell(group, changes);
    if (!before || differ(before, group)) this.#changed(group);
    return { group, members, view };
  }

  #save(view: GroupView, isOwnAct: boolean) {
    const { groups, conversations, now, transaction } = this.#context;
    const before = groups.find(view.id);
    if (!before && groups.count() >= MOST_GROUPS) {
      throw new UnverifiableError('groups_too_many', { most: MOST_GROUPS });
    }
    const known = before && groups.memory(before);
    const memory = judgeRoster(known && isOwnAct ? withConfirmation(known, this.#own) : known, view.members);
    return transaction(() => {
      const group = groups.save({ ...view, groupId: view.id }, memory, this.#own, now());
      // Of a group that is new here nothing is known but that it was without this person before.
      const past = before?.joined
        ? [
            ...hashesBetween(before.members, group.members),
            ...hashesBetween(believedMembers(before), believedMembers(group)),
          ]
        : hashesBetween(
            group.members.filter((member) => member !== this.#own),
            group.members,
          );
      this.#addHashes(group, memory, past);
      conversations.ensureForGroup(group.id, now());
      return { before, group };
    });
  }

  /** Others may not have confirmed somebody whom this user has, or the other way round: no list of those is a lie. */
  #addHashes(group: StoredGroup, memory: MembersMemory, past: readonly string[]): void {
    const departed = new Set(memory.departed);
    const steady = group.members.filter((address) => !departed.has(address));
    const current = [
      ...hashesBetween(steady, group.members),
      ...[group.members, memory.believed].map((members) => membersHash(members)),
    ];
    this.#context.groups.addHashes(group.id, current, past, this.#context.now());
  }

  /**
   * Replaces what is believed of a group's members, and tells in its timeline what that changes.
   * @param isSilent leaves the timeline as it is
   */
  #believe(group: StoredGroup, memory: MembersMemory, isSilent = false): void {
    const { groups, now, transaction } = this.#context;
    const changed = transaction(() => {
      const saved = groups.setMemory(group, memory, this.#own, now());
      this.#addHashes(saved, memory, []);
      return saved;
    });
    if (!isSilent) this.#tell(changed, changesBetween(believedMembers(group), believedMembers(changed)));
    this.#changed(changed);
  }

  #tell(group: StoredGroup, changes: readonly StoredEvent[]): void {
    const { conversations, messages, now, emit } = this.#context;
    const conversation = conversations.findByGroup(group.id);
    if (!conversation || changes.length === 0) return;
    for (const change of changes) {
      messages.insertEvent(conversation.id, change, randomBytes(16), now());
    }
    emit('messages.changed', { conversationId: String(conversation.id) });
  }

  #changed(group: StoredGroup): void {
    const conversation = this.#context.conversations.findByGroup(group.id);
    if (!conversation) return;
    const id = String(conversation.id);
    this.#context.emit('conversations.changed', { ids: [id] });
    this.#context.emit('groups.changed', { conversationIds: [id] });
  }

  /**
   * Removes a member. From now on nothing is sealed for them, whatever the relay shows; if it refuses, all is as before.
   * @throws RelayRefusal, RelayUnreachable
   */
  async remove(groupId: number, address: string): Promise<void> {
    const { groups } = this.#context;
    const group = this.#get(groupId);
    const wasBelieved = !group.unconfirmed.includes(address);
    this.#believe(group, withDeparture(groups.memory(group), address), true);
    try {
      await this.#relay.call('removeMember', { params: { id: group.groupId, address } });
    } catch (error) {
      const current = this.#get(groupId);
      if (wasBelieved && !mayBeDone(error)) {
        this.#believe(current, withConfirmation(groups.memory(current), address), true);
      }
      throw error;
    }
    if (wasBelieved) this.#tell(this.#get(groupId), [{ type: 'left', address }]);
  }

  /** The user confirms a person, or themselves, whom the relay shows as a member again. */
  confirm(groupId: number, address: string): void {
    const { groups, conversations, messages } = this.#context;
    const group = this.#get(groupId);
    if (!group.unconfirmed.includes(address)) return;
    this.#believe(group, withConfirmation(groups.memory(group), address));
    const conversation = conversations.findByGroup(groupId);
    if (!conversation) return;
    messages.confirmSender(conversation.id, address);
    this.#context.emit('messages.changed', { conversationId: String(conversation.id) });
  }

  #get(groupId: number): StoredGroup {
    const group = this.#context.groups.get(groupId);
    if (!group) throw new Error('a group that was just there is missing');
    return group;
  }

  /** The person is no member any more: nothing can be sent, and what was said stays. */
  leave(groupId: number): void {
    const { groups, transaction } = this.#context;
    transaction(() => {
      // As it is now: it may have changed while the relay was asked.
      const group = this.#get(groupId);
      this.#believe(group, withDeparture(groups.memory(group), this.#own));
      // The relay says so, too: it shows the person as a member no more.
      groups.forgetShown(group.id, this.#own);
    });
  }

  /**
   * Holds the list of members that a sender saw against those that this device was shown. Where it was shown none such,
   * also now, somebody is shown something else; another device of the user's own may have removed somebody.
   * @param sentAt by the sender's clock
   * @param freshFor milliseconds for which what the relay showed is good enough
   * @returns the group after it
   */
  async compareMembers(
    group: StoredGroup,
    hash: string,
    sentAt: number,
    isOwnDevice: boolean,
    freshFor: number,
  ): Promise<StoredGroup> {
    const { groups, now } = this.#context;
    // What was written before this person came names a list that they were never shown.
    if (sentAt < group.joinedAt || groups.hasShown(group.id, hash, sentAt)) return group;
    const { group: current } = await this.known(group.groupId, freshFor);
    if (groups.hasShown(current.id, hash, sentAt)) return current;
    const memory = groups.memory(current);
    const removed = isOwnDevice ? removedByOwnDevice(memory, hash) : [];
    if (removed.length > 0) this.#believe(current, removed.reduce(withDeparture, memory));
    else {
      groups.setDiffers(current.id, now());
      this.#changed(current);
    }
    return this.#get(current.id);
  }

  /** The conversation of a group that the person is in, made if another device of theirs has joined it. */
  async conversation(groupId: string): Promise<{ group: StoredGroup; conversation: StoredConversation }> {
    const known = this.#context.groups.find(groupId);
    const group = known?.joined ? known : (await this.known(groupId, 0)).group;
    return { group, conversation: this.#context.conversations.ensureForGroup(group.id, this.#context.now()) };
  }
}

/** Whether anything changed that a person can see. */
function differ(before: StoredGroup, after: StoredGroup): boolean {
  return JSON.stringify({ ...before, fetchedAt: 0 }) !== JSON.stringify({ ...after, fetchedAt: 0 });
}

function changesBetween(before: readonly string[], after: readonly string[]): StoredEvent[] {
  const joined = after.filter((address) => !before.includes(address));
  const left = before.filter((address) => !after.includes(address));
  return [
    ...joined.map((address): StoredEvent => ({ type: 'joined', address })),
    ...left.map((address): StoredEvent => ({ type: 'left', address })),
  ];
}
