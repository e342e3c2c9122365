import { useEffect, useEffectEvent, useRef } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useBridgeQuery } from '../bridge.ts';
import { announce } from '../shared/announcements.tsx';
import { distinctConversationName } from '../shared/distinct-conversations.ts';
import { t } from '../words.tsx';

/** Of failures in more chats than this, only the number of messages is announced. */
const MAX_NAMED = 3;

/**
 * Announces own messages that failed in chats that are not open: each failure once, also that of a retry and in a new chat.
 * Those before the first list are shown by the rows of their chats, and the open chat announces its own.
 * @param openId id of the open conversation
 */
export function useFailuresElsewhere(openId: string | null): void {
  const { data: conversations } = useBridgeQuery('conversations.list', {});
  /** Numbers of failures by conversation; null before the first list. */
  const known = useRef<ReadonlyMap<string, number> | null>(null);
  const compare = useEffectEvent((listed: readonly Conversation[]) => {
    const before = known.current;
    known.current = new Map(listed.map(({ id, failures }) => [id, failures]));
    if (!before) return;
    const elsewhere = listed
      .map((conversation) => ({
        conversation,
        // A message that failed twice is one message, and one that was sent or deleted since is none.
        count: Math.min(conversation.failures - (before.get(conversation.id) ?? 0), conversation.failed),
      }))
      .filter(({ conversation, count }) => count > 0 && conversation.id !== openId);
    if (elsewhere.length > MAX_NAMED)
      announce(t('chat.failedCount', { count: elsewhere.reduce((sum, { count }) => sum + count, 0) }));
    else
      for (const { conversation, count } of elsewhere)
        announce(t('chat.failedElsewhere', { chat: distinctConversationName(listed, conversation), count }));
  });
  useEffect(() => {
    if (conversations) compare(conversations);
  }, [conversations]);
}
