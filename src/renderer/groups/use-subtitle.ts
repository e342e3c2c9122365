import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useBridgeQuery } from '../bridge.ts';
import { conversationSubtitle } from '../shared/conversation.ts';
import { t } from '../words.tsx';

/** The second line under the name; in a group with the pending invitations, for those who can cancel them. */
export function useSubtitle(conversation: Conversation): string {
  const group = conversation.kind === 'group' ? conversation.group : null;
  const isInviting = group?.joined === true && (group.isCreator || group.isAdmin);
  const { data } = useBridgeQuery(
    'groups.invitedCount',
    { conversationId: conversation.id },
    { enabled: isInviting },
  );
  const invited = isInviting ? (data?.count ?? 0) : 0;
  if (!group || invited === 0) return conversationSubtitle(conversation);
  return t('chat.membersInvited', { count: group.memberCount, invited });
}
