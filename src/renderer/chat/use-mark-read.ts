import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Conversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';

/** How long a message must be on screen, in milliseconds, to count as read. */
const settleTime = 250;

/** Marks messages as read once they were on screen in a window that has the person's attention. */
export function useMarkRead({ id, unread, markedUnread }: Conversation, seenId: string | null): void {
  const isLeft = useLeftUnread(markedUnread, seenId);
  const hasFocus = useSyncExternalStore(watchFocus, () => document.hasFocus());
  const { mutate: markRead } = useCommand('conversations.markRead');
  useEffect(() => {
    if (!hasFocus || seenId === null || isLeft || (unread === 0 && !markedUnread)) return;
    const timer = setTimeout(() => markRead({ id, upTo: seenId }), settleTime);
    return () => clearTimeout(timer);
  }, [hasFocus, id, isLeft, markRead, markedUnread, seenId, unread]);
}

/** Whether the person has marked the chat unread while it is open: it stays so until more is seen, or it is opened again. */
function useLeftUnread(markedUnread: boolean, seenId: string | null): boolean {
  const [before, setBefore] = useState({ markedUnread, leftAt: null as string | null });
  if (before.markedUnread !== markedUnread) setBefore({ markedUnread, leftAt: markedUnread ? seenId : null });
  return before.leftAt !== null && before.leftAt === seenId;
}

function watchFocus(onChange: () => void): () => void {
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  return () => {
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
  };
}
