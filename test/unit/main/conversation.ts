import type { Conversation, DirectConversation } from '../../../src/bridge/shapes/conversation.ts';
import { arrived } from '../host/notifications/arrived.ts';

/** A chat with one person, as the engine lists it. */
export function conversation(id: string, part: Partial<DirectConversation>): Conversation {
  return {
    kind: 'direct',
    peerHasWritten: true,
    peerHasAccepted: true,
    followsInvite: false,
    id,
    state: 'accepted',
    unread: 0,
    unreadMentions: 0,
    firstMentionId: null,
    firstUnreadId: null,
    failed: 0,
    failures: 0,
    draft: '',
    draftMentions: [],
    mutedUntil: null,
    markedUnread: false,
    pinned: false,
    archived: false,
    timer: 0,
    activeAt: 0,
    isSelf: false,
    last: null,
    peer: arrived(id).from,
    devicesChange: null,
    verifiedAt: null,
    setBy: null,
    ...part,
  };
}
