/**
 * What following the numbers of messages works with in the app (src/messaging/gaps).
 */
import { Gaps, togetherIn } from '../messaging/gaps/gaps.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { Context } from './context.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

export function createGaps(parts: DeliveryParts): Gaps {
  const { context, account, groups } = parts;
  const { asks, gaps, identity, messages, sentControls, now, random, emit } = context;
  return new Gaps({
    sending: { ...sendingParts(parts), groups },
    followed: gaps,
    asks,
    company: {
      together(conversation, address) {
        const group = context.groups.find(conversation);
        const isOwn = address === account.address;
        const state = between(context, group ? address : conversation)?.state;
        if (state === 'blocked') return null;
        if (group) return group.joined ? togetherIn(group.state, account.address, address) : null;
        return state === undefined ? null : { since: 0, isAccepted: isOwn || state === 'accepted' };
      },
    },
    find(conversation, seq) {
      const chat = conversationOf(context, conversation);
      const message = chat && messages.bySeq(chat.id, seq);
      if (chat && !message) return sentControls.bySeq(chat.id, seq);
      if (!message || message.state === 'failed' || message.deletedBy !== null) return null;
      return { body: message.body, isSent: message.state === 'sent' };
    },
    wasMember: (groupId, address, epoch) => groups.wasMember(groupId, address, epoch),
    retention: () => identity.retention(),
    lastEnd: () => identity.lastEnd(),
    random,
    onTold(conversation, address, isTold) {
      const chat = conversationOf(context, conversation);
      if (!chat) return;
      messages.setMissing(chat.id, address, isTold, now());
      emit('messages.changed', { conversationId: String(chat.id) });
    },
    automated: false,
    asksAgain: true,
  });
}

/** The direct conversation with an address. */
function between({ contacts, conversations }: Context, address: string): StoredConversation | null {
  const contact = contacts.find(address);
  return contact && conversations.findByContact(contact.id);
}

/** @param name the address of its partner, or the id of its group */
function conversationOf(context: Context, name: string): StoredConversation | null {
  const group = context.groups.find(name);
  return group ? context.conversations.findByGroup(group.id) : between(context, name);
}
