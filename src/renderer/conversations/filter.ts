import type { Conversation, Gist } from '../../bridge/shapes.ts';

/** What the list of chats is narrowed down to. */
export type ListFilter = 'all' | 'unread' | 'groups';

/**
 * The conversations of a list view, whose person, group or last message contains the text: first what is pinned, then by
 * the newest activity.
 * @param textOf what the list says of a message
 */
export function filterConversations(
  conversations: readonly Conversation[],
  state: Conversation['state'],
  text: string,
  textOf: (gist: Gist) => string,
): Conversation[] {
  const wanted = text.trim().replace(/^@/, '').toLocaleLowerCase();
  return conversations
    .filter((conversation) => conversation.state === state && matches(conversation, wanted, textOf))
    .toSorted((one, other) => Number(other.pinned) - Number(one.pinned) || other.activeAt - one.activeAt);
}

/** Those of the main list: accepted, and not archived. */
export function mainConversations(
  conversations: readonly Conversation[],
  textOf: (gist: Gist) => string,
): Conversation[] {
  return filterConversations(conversations, 'accepted', '', textOf).filter(({ archived }) => !archived);
}

/** Whether something is there to be read, or the person has marked it so. */
export function isUnread({ unread, markedUnread }: Conversation): boolean {
  return unread > 0 || markedUnread;
}

/**
 * Whether a filter leaves a conversation in the list.
 * @param openId the open one stays among the unread: reading it must not take it away
 */
export function passes(conversation: Conversation, filter: ListFilter, openId: string | null): boolean {
  if (filter === 'groups') return conversation.kind === 'group';
  return filter === 'all' || isUnread(conversation) || conversation.id === openId;
}

function matches(conversation: Conversation, wanted: string, textOf: (gist: Gist) => string): boolean {
  if (wanted === '') return true;
  const names =
    conversation.kind === 'direct'
      ? [
          conversation.peer.nickname,
          conversation.peer.displayName,
          conversation.peer.handle,
          conversation.peer.address,
        ]
      : [conversation.group.name];
  return [...names, conversation.last && textOf(conversation.last.gist)].some((field) =>
    field?.toLocaleLowerCase().includes(wanted),
  );
}
