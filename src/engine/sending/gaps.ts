/** Tracking of message numbers in the app (src/messaging/gaps). */
import { Gaps, togetherIn } from '../../messaging/gaps/gaps.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import { conversationNamed } from '../conversation-names.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

export function createGaps(parts: DeliveryParts): Gaps {
  const { context, account, groups } = parts;
  const { gapRequests, gaps, identity, messages, sentControls, now, random, emit } = context;
  return new Gaps({
    sending: { ...sendingParts(parts), groups },
    followed: gaps,
    gapRequests,
    company: {
      together(conversation, address) {
        const group = isWireAddress(conversation) ? null : context.groups.find(conversation);
        const isOwn = address === account.address;
        const state = context.conversations.stateWith(group ? address : conversation);
        if (state === 'blocked') return null;
        if (group) return group.joined ? togetherIn(group.state, account.address, address) : null;
        return state === null ? null : { since: 0, isAccepted: isOwn || state === 'accepted' };
      },
    },
    find(conversation, seq) {
      const chat = conversationNamed(context, conversation);
      const message = chat && messages.bySeq(chat.id, seq);
      if (chat && !message) return sentControls.bySeq(chat.id, seq);
      if (!message || message.state === 'failed' || message.deletedBy !== null) return null;
      return { body: message.body, isSent: message.state === 'sent' };
    },
    wasMember: (groupId, address, epoch) => groups.wasMember(groupId, address, epoch),
    retention: () => identity.retention(),
    lastEnd: () => identity.lastEnd(),
    random,
    onReported(conversation, address, isReported) {
      const chat = conversationNamed(context, conversation);
      if (!chat) return;
      messages.setMissing(chat.id, address, isReported, now());
      emit('messages.changed', { conversationId: String(chat.id) });
    },
    automated: false,
    repeatsRequests: true,
  });
}
