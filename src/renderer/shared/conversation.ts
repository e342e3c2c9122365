import type { Conversation } from '../../bridge/shapes.ts';
import { t, textOfGist } from '../words.tsx';
import { personName, personSubtitle } from './person.ts';

/** What a conversation is called: by its person, or by its group; the one with oneself by what it is for. */
export function conversationName(conversation: Conversation): string {
  if (conversation.kind === 'direct' && conversation.isSelf) return t('chats.noteToSelf');
  return conversation.kind === 'direct' ? personName(conversation.peer) : conversation.group.name;
}

/** The second line under the name. */
export function conversationSubtitle(conversation: Conversation): string {
  if (conversation.kind === 'direct') return personSubtitle(conversation.peer);
  const { joined, memberCount } = conversation.group;
  return joined ? t('chat.members', { count: memberCount }) : t('chat.notMember');
}

/** Whether the person can write here now: not in a group that they left, to a request, or to someone blocked. */
export function canWriteIn(conversation: Conversation): boolean {
  if (conversation.kind === 'group') return conversation.group.joined;
  return conversation.state === 'accepted';
}

/** What finds a conversation beside its names: the words of its last message, and what notes to oneself are called. */
export function wordsOf(conversation: Conversation): string[] {
  const { last } = conversation;
  const isNote = conversation.kind === 'direct' && conversation.isSelf;
  return [...(last ? [textOfGist(last.gist)] : []), ...(isNote ? [t('chats.noteToSelf')] : [])];
}
