import { useEffect } from 'react';
import { useBridgeQuery } from '../bridge.ts';
import { t } from '../words.tsx';

/** Shows the number of unread messages in the document's title: `(3) Waxwing`. */
export function useDocumentTitle(): void {
  const { data: conversations = [] } = useBridgeQuery('conversations.list', {});
  const unread = conversations
    .filter(({ mutedUntil, state }) => mutedUntil === null && state !== 'blocked')
    .reduce((total, conversation) => total + conversation.unread, 0);
  useEffect(() => {
    document.title = unread > 0 ? t('app.titleUnread', { count: unread }) : t('app.name');
  }, [unread]);
}
