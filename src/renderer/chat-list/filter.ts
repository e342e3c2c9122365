import { toSearchText } from '../../base/search-text.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';

/** Filters of the chat list. */
export type ListFilter = 'all' | 'unread' | 'groups';

/**
 * The conversations of a list view whose person, group or last message contains the text: pinned ones first, then by
 * latest activity.
 * @param wordsOf additional search texts, such as the last message
 */
export function filterConversations(
  conversations: readonly Conversation[],
  state: Conversation['state'],
  text: string,
  wordsOf: (conversation: Conversation) => readonly string[],
): Conversation[] {
  const wanted = wantedIn(text);
  return conversations
    .filter((conversation) => conversation.state === state && matches(conversation, wanted, wordsOf))
    .toSorted((one, other) => Number(other.pinned) - Number(one.pinned) || other.activeAt - one.activeAt);
}

/** The conversations whose person or group has a name with the text, in the same order. @param namesOf further names */
export function withName(
  conversations: readonly Conversation[],
  text: string,
  namesOf: (conversation: Conversation) => readonly string[],
): Conversation[] {
  return conversations.filter((conversation) => matches(conversation, wantedIn(text), namesOf));
}

function wantedIn(text: string): string {
  return toSearchText(text.trim().replace(/^@/, ''));
}

/** Conversations of the main list: accepted, and not archived. */
export function mainConversations(
  conversations: readonly Conversation[],
  wordsOf: (conversation: Conversation) => readonly string[],
): Conversation[] {
  return filterConversations(conversations, 'accepted', '', wordsOf).filter(({ archived }) => !archived);
}

/** Reports whether it has unread messages, or is marked unread by the person. */
export function isUnread({ unread, markedUnread }: Conversation): boolean {
  return unread > 0 || markedUnread;
}

/**
 * Reports whether a conversation passes a filter.
 * @param openId the open one stays in the unread list, although it is being read
 */
export function passes(conversation: Conversation, filter: ListFilter, openId: string | null): boolean {
  if (filter === 'groups') return conversation.kind === 'group';
  return filter === 'all' || isUnread(conversation) || conversation.id === openId;
}

function matches(
  conversation: Conversation,
  wanted: string,
  wordsOf: (conversation: Conversation) => readonly string[],
): boolean {
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
  return [...names, ...wordsOf(conversation)].some((field) => field && toSearchText(field).includes(wanted));
}
