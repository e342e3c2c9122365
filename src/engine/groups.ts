/**
 * Groups at the relay, and what this device makes of them: what the relay shows is remembered, what changed in it is
 * told in the timeline, and members' keys count only as far as their wallets signed them.
 */
import type { RelayApi } from '../client/api.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal } from '../client/http.ts';
import { native } from '../protocol/crypto/native.ts';
import { DIRECTORY_PAGE } from '../protocol/limits.ts';
import { membersHash } from '../protocol/members-hash.ts';
import type { GroupPage, GroupView } from '../protocol/schemas/groups.ts';
import type { Contact } from './cache/contacts.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { StoredEvent } from './cache/messages.ts';
import type { Context } from './context.ts';
import type { Directory } from './directory.ts';
import { hashesBetween } from './members-between.ts';

/** How long what the relay showed of a group is good for sending, in milliseconds. The relay tells what is missing. */
export const GROUP_FRESH_FOR = 60_000;

/** A member whose devices can be sealed to, or why they cannot. */
export type MemberKeys = { contact: Contact } | { address: string; problem: string };

export interface KnownGroup {
  group: StoredGroup;
  members: MemberKeys[];
  /** What the relay showed; null where it was not asked. */
  view: GroupView | null;
}

export class GroupDirectory {
  readonly #context: Context;
  readonly #relay: RelayApi;
  readonly #directory: Directory;
  readonly #own: string;

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
  async known(groupId: string, freshFor = GROUP_FRESH_FOR): Promise<KnownGroup> {
    const { groups, now } = this.#context;
    const group = groups.find(groupId);
    if (group?.joined && now() - group.fetchedAt < freshFor) {
      return { group, members: group.members.map((address) => this.#memberOf(address)), view: null };
    }
    return this.remember(await this.#ask(groupId, group));
  }

  /**
   * Learns of groups that the person is in and this device does not know: joined on another device, or made a moment
   * before the app was killed; and of those that they are no more in.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async sync(): Promise<void> {
    const mine = new Set<string>();
    let cursor: string | null = null;
    do {
      const query = { mine: true, limit: DIRECTORY_PAGE.most, ...(cursor !== null && { cursor }) };
      const page: GroupPage = await this.#relay.call('searchGroups', { query });
      for (const { id } of page.groups) mine.add(id);
      cursor = page.nextCursor;
    } while (cursor !== null);
    const { groups } = this.#context;
    const joined = groups.joined();
    const unknown = [...mine].filter((id) => !joined.some(({ groupId }) => groupId === id));
    const gone = joined.filter(({ groupId }) => !mine.has(groupId));
    for (const groupId of [...unknown, ...gone.map((group) => group.groupId)]) {
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
      if (isOver && group?.joined) this.#left(group);
      throw error;
    }
  }

  #memberOf(address: string): MemberKeys {
    const contact = this.#context.contacts.find(address);
    return contact && contact.sealKeys.length > 0 ? { contact } : { address, problem: NO_DEVICE };
  }

  /**
   * Remembers what the relay shows of a group, and tells in its timeline what that changes.
   * @throws UnverifiableError if the relay's own hash does not fit its members, or the person is none of them
   */
  remember(view: GroupView): KnownGroup {
    if (membersHash(native, view.members) !== view.membersHash) {
      throw new UnverifiableError('The relay shows a group whose members do not fit its own hash of them.');
    }
    if (!view.members.includes(this.#own)) {
      throw new UnverifiableError('The relay shows a group without you as a group of yours.');
    }
    const members = view.members.map((address) => this.#prove(address, view));
    const { context, before, group, conversation } = this.#save(view);
    const changes = before ? changesBetween(before.members, view.members) : [];
    for (const change of changes) {
      context.messages.insertEvent(conversation.id, change, native.randomBytes(16), context.now());
    }
    if (changes.length > 0) context.emit('messages.changed', { conversationId: String(conversation.id) });
    if (!before || differ(before, group)) {
      context.emit('conversations.changed', { ids: [String(conversation.id)] });
    }
    return { group, members, view };
  }

  #save(view: GroupView) {
    const context = this.#context;
    const { groups, conversations } = context;
    const before = groups.find(view.id);
    return context.transaction(() => {
      const shown = { ...view, groupId: view.id };
      const group = groups.save(shown, context.now());
      // Of a group that is new here nothing is known but that it was without this person before.
      const earlier = before?.joined
        ? before.members
        : group.members.filter((member) => member !== this.#own);
      groups.addHashes(group.id, hashesBetween(earlier, group.members));
      const conversation = conversations.ensureForGroup(group.id, context.now());
      return { context, before: before?.joined ? before : null, group, conversation };
    });
  }

  /** What the wallet of a member has certified, as the relay shows it beside the group. */
  #prove(address: string, view: GroupView): MemberKeys {
    const published = view.memberDevices[address] ?? null;
    try {
      const profile = view.memberProfiles[address];
      const contact = this.#directory.learn(address, published && { ...published, profile });
      return contact.sealKeys.length > 0 ? { contact } : { address, problem: NO_DEVICE };
    } catch (error) {
      if (error instanceof UnverifiableError) return { address, problem: error.message };
      throw error;
    }
  }

  /** The person is no member any more: nothing can be sent, and what was said stays. */
  leave(group: StoredGroup): void {
    this.#left(group);
  }

  #left(group: StoredGroup): void {
    const { groups, conversations, messages, now } = this.#context;
    const conversation = conversations.findByGroup(group.id);
    this.#context.transaction(() => {
      groups.setLeft(group.id);
      if (!conversation) return;
      const event: StoredEvent = { type: 'left', address: this.#own };
      messages.insertEvent(conversation.id, event, native.randomBytes(16), now());
    });
    if (!conversation) return;
    this.#context.emit('messages.changed', { conversationId: String(conversation.id) });
    this.#context.emit('conversations.changed', { ids: [String(conversation.id)] });
  }

  /**
   * Holds the list of members that a sender saw against those that this device was shown. Where it was shown none such,
   * also now, somebody is shown something else.
   * @param sentAt by the sender's clock
   */
  async compareMembers(group: StoredGroup, hash: string, sentAt: number): Promise<void> {
    const { groups, now } = this.#context;
    // What was written before this person came names a list that they were never shown.
    if (sentAt < group.joinedAt || groups.hasShown(group.id, hash)) return;
    const { group: current } = await this.known(group.groupId, 0);
    if (groups.hasShown(current.id, hash)) return;
    groups.setDiffers(current.id, now());
    const conversation = this.#context.conversations.findByGroup(current.id);
    if (conversation) this.#context.emit('conversations.changed', { ids: [String(conversation.id)] });
  }

  /** The conversation of a group that the person is in, made if another device of theirs has joined it. */
  async conversation(groupId: string): Promise<{ group: StoredGroup; conversation: StoredConversation }> {
    const known = this.#context.groups.find(groupId);
    const group = known?.joined ? known : (await this.known(groupId, 0)).group;
    return { group, conversation: this.#context.conversations.ensureForGroup(group.id, this.#context.now()) };
  }
}

const NO_DEVICE = 'No device of theirs can read a message now.';

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
