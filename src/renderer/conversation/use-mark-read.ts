import { useEffect, useSyncExternalStore } from 'react';
import type { Conversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';

/** How long a message must be on screen, in milliseconds, to count as read. */
const settleTime = 250;

/** Marks messages as read once they were on screen in a window that has the person's attention. */
export function useMarkRead({ id, unread }: Conversation, seenId: string | null): void {
  const hasFocus = useSyncExternalStore(watchFocus, () => document.hasFocus());
  const { mutate: markRead } = useCommand('conversations.markRead');
  useEffect(() => {
    if (!hasFocus || seenId === null || unread === 0) return;
    const timer = setTimeout(() => markRead({ id, upTo: seenId }), settleTime);
    return () => clearTimeout(timer);
  }, [hasFocus, id, markRead, seenId, unread]);
}

function watchFocus(onChange: () => void): () => void {
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  return () => {
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
  };
}
