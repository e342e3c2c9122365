/**
 * Groups of the app: the core's (src/messaging/groups) over the cache. Changes of a group appear in its
 * timeline.
 */
import { failedWith } from '../base/failure.ts';
import type { RelayApi } from '../client/api.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal } from '../client/http.ts';
import type { GroupMemory } from '../messaging/groups/chain-memory.ts';
import { GroupDirectory } from '../messaging/groups/directory.ts';
import type { GroupChange, GroupMessenger } from '../messaging/groups/parts.ts';
import { isTransient } from '../messaging/relay.ts';
import { randomBytes } from '../protocol/crypto.ts';
import type { RosterSigner } from '../protocol/roster/making.ts';
import { MAX_GROUPS, type StoredGroup } from './cache/group-chains.ts';
import type { StoredEvent } from './cache/message-rows.ts';
import type { Context } from './context.ts';
import type { Directory } from './directory.ts';
import { deleteSeedsOfRemoved } from './invites/group-links.ts';
import { personName } from './views/person-name.ts';

/** Number of groups checked after one look at the list of own groups. The next look continues. */
const MAX_LOOKS = 200;
/** Number of groups checked at the same time. */
const CHECKED_TOGETHER = 4;

export interface AppGroupsParts {
  context: Context;
  relay: RelayApi;
  directory: Directory;
  /** The person's address. */
  own: string;
  /** @throws RelayUnreachable while this device is missing from its own device list */
  signer(): RosterSigner;
  renewSigner(): Promise<void>;
  talk(): GroupMessenger<StoredGroup> | null;
  /** Called when people have joined a group. */
  onJoined(group: StoredGroup, addresses: readonly string[]): void;
  /** Called when the chain of a group has changed, or its problem has. */
  onChanged(group: StoredGroup): void;
}

export class AppGroups extends GroupDirectory<StoredGroup> {
  readonly #context: Context;
  readonly #relay: RelayApi;
  /** Id of the group whose check began last; empty before the first. */
  #lastChecked = '';

  constructor({
    context,
    relay,
    directory,
    own,
    signer,
    renewSigner,
    talk,
    onJoined,
    onChanged,
  }: AppGroupsParts) {
    super({
      source: relay,
      keys: directory.keys,
      memory: memoryIn(context, own),
      own: () => own,
      signer,
      renewSigner,
      now: context.now,
      provesEarly: true,
      nameOf: (address) => personName(context.contacts.profile(address)),
      onTimeline(group, change) {
        addTimelineEvents(context, group, change);
        if (change.joined.length > 0) onJoined(group, change.joined);
      },
      onChanged(group) {
        emitChanged(context, group);
        onChanged(group);
      },
      talk,
    });
    this.#context = context;
    this.#relay = relay;
  }

  /** Adds a conversation, if another own device joined the group. */
  override async of(groupId: string): Promise<StoredGroup> {
    const group = await super.of(groupId);
    this.#context.conversations.ensureForGroup(group.id, this.#context.now());
    return group;
  }

  /**
   * Checks the chain of a group for new entries, at a low cost. It reads the whole group only if there are
   * some, if the relay denies access, or if there was a problem before.
   * @throws RelayUnreachable, RelayRefusal if transient
   */
  async look(groupId: string): Promise<void> {
    const group = this.#context.groups.find(groupId);
    if (!group || !(group.joined || group.notes.pin)) return;
    if (group.notes.pin || group.notes.stop || (await this.#hasNews(group))) await this.#checkAgain(groupId);
  }

  async #hasNews({ groupId, state }: StoredGroup): Promise<boolean> {
    try {
      return (await this.#relay.roster(groupId, state.epoch)).entries.length > 0;
    } catch (error) {
      if (failedWith(error, 'not_a_member', 'not_found')) return true;
      throw error;
    }
  }

  /**
   * Stores the end of a group, or its problem.
   * @throws RelayUnreachable, RelayRefusal if transient
   */
  async #checkAgain(groupId: string): Promise<void> {
    await this.known(groupId, 0).catch((error: unknown) => {
      if (isTransient(error)) throw error;
      if (error instanceof RelayRefusal || error instanceof UnverifiableError) return;
      throw error;
    });
  }

  /**
   * Finds new and lost groups of the person: joined on another device, created just before the app was
   * killed, restored from a history, or left.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  async sync(): Promise<void> {
    const mine = (await this.#relay.groups({ mine: true }, MAX_GROUPS)).map(({ id }) => id);
    const { groups } = this.#context;
    const joined = groups.joined().map(({ groupId }) => groupId);
    // The relay lists no group in which the membership ended before a backup was restored.
    const unlisted = [...joined, ...groups.awaitingChain()].filter(isMissingIn(mine));
    await this.#checkSome([...unlisted, ...mine.filter(isMissingIn(joined))]);
  }

  /** Checks some of these groups, a few at a time. The next call continues: one invalid group does not hide the others. */
  async #checkSome(groupIds: readonly string[]): Promise<void> {
    const last = this.#lastChecked;
    const inOrder = groupIds.toSorted();
    const inTurn = [...inOrder.filter((id) => id > last), ...inOrder.filter((id) => id <= last)];
    const waiting = inTurn.slice(0, MAX_LOOKS).values();
    const check = async () => {
      for (const groupId of waiting) {
        this.#lastChecked = groupId;
        await this.#checkAgain(groupId);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: CHECKED_TOGETHER }, check));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

const isMissingIn = (ids: readonly string[]) => {
  const known = new Set(ids);
  return (id: string) => !known.has(id);
};

function memoryIn(context: Context, own: string): GroupMemory<StoredGroup> {
  const { groups, conversations, now, transaction } = context;
  const linksOf = (groupId: string) => groups.find(groupId)?.state.links ?? [];
  return {
    find: (groupId) => groups.find(groupId),
    advance(state, accepted) {
      if (groups.count() >= MAX_GROUPS && !groups.find(state.groupId)) {
        throw new UnverifiableError('groups_too_many', { most: MAX_GROUPS });
      }
      const links = linksOf(state.groupId);
      const after = transaction(() => {
        const group = groups.advance(state, accepted, own);
        if (group.joined) conversations.ensureForGroup(group.id, now());
        return group;
      });
      deleteSeedsOfRemoved(context, state.groupId, links, state.links);
      return after;
    },
    replace(state, accepted, notes) {
      const links = linksOf(state.groupId);
      const after = transaction(() => groups.replace(state, accepted, notes, own));
      deleteSeedsOfRemoved(context, state.groupId, links, state.links);
      return after;
    },
    note: (group, notes) => groups.note(group, notes, own),
    fetched: (group, at, view) => groups.fetched(group, at, view?.verified),
    hashAt: (groupId, epoch) => groups.hashAt(groupId, epoch),
    after: (groupId, epoch) => groups.after(groupId, epoch),
    newestFirst: (groupId) => groups.newestFirst(groupId),
    whole: (groupId) => groups.whole(groupId),
  };
}

const LINK_EVENTS = { made: 'linkMade', canceled: 'linkCanceled' } as const;
const ROLE_EVENTS = { creator: 'owner', admin: 'admin', none: 'noAdmin' } as const;

function addTimelineEvents(
  context: Context,
  group: StoredGroup,
  { joined, left, roles, timer, links }: GroupChange,
): void {
  const { conversations, messages, now, transaction, emit } = context;
  const conversation = conversations.findByGroup(group.id);
  if (!conversation) return;
  const events: StoredEvent[] = [
    ...joined.map((address) => ({ type: 'joined' as const, address })),
    ...roles.map(({ address, role, by }) => ({
      type: ROLE_EVENTS[role],
      address,
      ...(by !== null && { by }),
    })),
    // Last: an owner transfers the group, then leaves.
    ...left.map(({ address, by }) => ({ type: 'left' as const, address, ...(by !== null && { by }) })),
  ];
  const linkEvents: StoredEvent[] = links
    ? links.acts.map((act) => ({ type: LINK_EVENTS[act], address: links.by }))
    : [];
  const by = timer?.by ?? group.state.creator;
  transaction(() => {
    for (const event of events) messages.insertEvent(conversation.id, event, randomBytes(16), now());
    if (timer && by !== null) {
      const event = { type: 'timer' as const, address: by, seconds: timer.seconds };
      messages.insertTimerEvent(conversation.id, event, randomBytes(16), now());
    }
    for (const event of linkEvents) messages.insertTimerEvent(conversation.id, event, randomBytes(16), now());
  });
  emit('messages.changed', { conversationId: String(conversation.id) });
}

function emitChanged({ conversations, emit }: Context, group: StoredGroup): void {
  const conversation = conversations.findByGroup(group.id);
  if (!conversation) return;
  const id = String(conversation.id);
  emit('conversations.changed', { ids: [id] });
  emit('groups.changed', { conversationIds: [id] });
}
