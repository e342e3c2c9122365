/** Conversations by their names in the core of messages. */
import type { StoredConversation } from './cache/conversations.ts';
import type { Context } from './context.ts';

/** The direct conversation with an address. */
export function conversationBetween(
  { contacts, conversations }: Context,
  address: string,
): StoredConversation | null {
  const contact = contacts.find(address);
  return contact && conversations.findByContact(contact.id);
}

/** @param name address of the partner, or id of the group */
export function conversationNamed(context: Context, name: string): StoredConversation | null {
  const group = context.groups.find(name);
  return group ? context.conversations.findByGroup(group.id) : conversationBetween(context, name);
}
