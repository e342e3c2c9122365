import { personName } from '../../base/person-name.ts';
import type { Conversation, DirectConversation } from '../../bridge/shapes/conversation.ts';
import { rich } from '../words.tsx';

/** Reports whether the contact sees the messages as a request: until they have written or sent a receipt. A valid invite link avoids it. */
export function isSeenAsRequest(conversation: Conversation): conversation is DirectConversation {
  return conversation.kind === 'direct' && !conversation.isSelf && !conversation.peerHasAccepted;
}

/**
 * The sentence of a chat that a link opened. The contact's app sends no answer to a message with a spent link, so only an acceptance
 * or receipt shows that the link was valid.
 */
function invitedSentence({ last }: DirectConversation) {
  return last?.outgoing && last.state === 'sent'
    ? 'chat.waitingAfterInvite'
    : 'chat.seenAsRequestUnlessInvited';
}

/** Above the field, while the contact sees a request. */
export function RequestNote({ conversation, id }: { conversation: Conversation; id: string }) {
  if (!isSeenAsRequest(conversation)) return null;
  const { followsInvite, peer } = conversation;
  const sentence = followsInvite ? invitedSentence(conversation) : 'chat.seenAsRequest';
  const name = peer.handle ? `@${peer.handle}` : personName(peer);
  return (
    <p className="mb-1 px-4 text-ink-soft text-meta [overflow-wrap:anywhere]" id={id}>
      {rich(sentence, { name })}
    </p>
  );
}
