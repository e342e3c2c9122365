/** Conversations by their names in the core of messages. */
import type { StoredConversation } from './cache/conversations.ts';
import type { Context } from './context.ts';

/** @param name address of the partner, or id of the group */
export function conversationNamed(context: Context, name: string): StoredConversation | null {
  const group = context.groups.find(name);
  return group ? context.conversations.findByGroup(group.id) : context.conversations.findByAddress(name);
}
