/** The read position of a conversation. */
import { Failure } from '../base/failure.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { EngineParts } from './parts.ts';

/** The number of a message that a page names. @throws Failure message_unknown */
export function messageNumber(id: string): number {
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw new Failure('message_unknown');
  return number;
}

/**
 * Marks the messages up to one as read: removes a mark as unread, starts timers, and plans receipts. Does nothing if
 * all of them are read.
 * @param upTo id of a message; by default the newest
 */
export function markRead(
  { context, online }: EngineParts,
  { id, name, lastReadId, unread: unreadBefore, unreadFrom }: StoredConversation,
  upTo: number = Number.MAX_SAFE_INTEGER,
): void {
  const { conversations, lifetimes, own, timelines } = context;
  const lastRead = timelines.readUpTo(id, upTo, lastReadId);
  const unread = timelines.countReceivedAfter(id, lastRead);
  const isMarked = unreadFrom !== null;
  if (lastRead === lastReadId && unread === unreadBefore && !isMarked) return;
  context.transaction(() => {
    conversations.markRead(id, lastRead, unread);
    lifetimes.shown(id, lastRead, context.now(), context.now());
    // The read position is shared with own devices.
    if (unreadBefore > unread || isMarked) own.read(name, timelines.lastNamedUpTo(id, lastRead));
    const devices = timelines.devicesBetween(id, lastReadId, lastRead);
    online?.receipts.wasRead(devices.map((device) => ({ ...device, conversation: name })));
  });
  online?.receiptsPlanned();
  context.emit('conversations.changed', { ids: [String(id)] });
}
