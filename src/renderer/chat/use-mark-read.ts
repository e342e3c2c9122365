import { useEffect, useState } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { useWindowFocus } from '../shared/window-focus.ts';

/** The time that a message must be visible to count as read, in milliseconds. */
const settleTime = 250;

/** Marks visible messages as read in a window that has the person's attention. */
export function useMarkRead({ id, unread, markedUnread }: Conversation, seenId: string | null): void {
  const isLeft = useLeftUnread(markedUnread, seenId);
  const hasFocus = useWindowFocus();
  const { mutate: markRead } = useCommand('conversations.markRead');
  useEffect(() => {
    if (!hasFocus || seenId === null || isLeft || (unread === 0 && !markedUnread)) return;
    const timer = setTimeout(() => markRead({ id, upTo: seenId }), settleTime);
    return () => clearTimeout(timer);
  }, [hasFocus, id, isLeft, markRead, markedUnread, seenId, unread]);
}

/** True if the person has marked the open chat unread: it stays so until more is seen, or it is opened again. */
function useLeftUnread(markedUnread: boolean, seenId: string | null): boolean {
  const [before, setBefore] = useState({ markedUnread, leftAt: null as string | null });
  if (before.markedUnread !== markedUnread) setBefore({ markedUnread, leftAt: markedUnread ? seenId : null });
  return before.leftAt !== null && before.leftAt === seenId;
}
