import { personName, personSubtitle } from '../../base/person-name.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { summaryText, t } from '../words.tsx';

/** The name of a conversation: of its person or group; the chat with oneself by its purpose. */
export function conversationName(conversation: Conversation): string {
  if (conversation.kind === 'direct' && conversation.isSelf) return t('chats.noteToSelf');
  return conversation.kind === 'direct' ? personName(conversation.peer) : conversation.group.name;
}

/** The second line under the name. */
export function conversationSubtitle(conversation: Conversation): string {
  if (conversation.kind === 'direct') return personSubtitle(conversation.peer);
  const { joined, isLoading, memberCount } = conversation.group;
  if (isLoading) return t('chat.membersLoading');
  return joined ? t('chat.members', { count: memberCount }) : t('chat.notMember');
}

/** Reports whether the person can write here now: not in a group that they left, to a request, or to someone blocked. */
export function canWriteIn(conversation: Conversation): boolean {
  if (conversation.kind === 'group') return conversation.group.joined;
  return conversation.state === 'accepted';
}

/** Search texts of a conversation besides its names: its last message, and the name of notes to oneself. */
export function wordsOf(conversation: Conversation): string[] {
  const { last } = conversation;
  const isNote = conversation.kind === 'direct' && conversation.isSelf;
  return [...(last ? [summaryText(last.summary)] : []), ...(isNote ? [t('chats.noteToSelf')] : [])];
}
