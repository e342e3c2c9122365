import { personName } from '../../base/person-name.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { rich } from '../words.tsx';

/** Above the field, until the contact has written or sent a receipt. */
export function RequestNote({ conversation, id }: { conversation: Conversation; id: string }) {
  if (conversation.kind !== 'direct' || conversation.isSelf || conversation.peerHasAccepted) return null;
  const { peer } = conversation;
  const name = peer.handle ? `@${peer.handle}` : personName(peer);
  return (
    <p className="mb-1 px-4 text-ink-soft text-meta [overflow-wrap:anywhere]" id={id}>
      {rich('chat.seenAsRequest', { name })}
    </p>
  );
}
