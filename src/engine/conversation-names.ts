/**
 * Conversations by the names that the core of messages has for them.
 */
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

/** @param name the address of its partner, or the id of its group */
export function conversationNamed(context: Context, name: string): StoredConversation | null {
  const group = context.groups.find(name);
  return group ? context.conversations.findByGroup(group.id) : conversationBetween(context, name);
}
