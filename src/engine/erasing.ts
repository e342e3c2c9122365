/**
 * Taking messages out of the cache, and with each all that was set and said of it: its row takes along reactions, pins, edits and
 * the copies that wait to be sent.
 */
import type { EndedMessage } from './cache/lifetimes.ts';
import type { Context } from './context.ts';

/** Removes messages, in the caller's transaction. What was deleted is to be taken out of the write-ahead log after it. */
export function removeMessages(context: Context, all: readonly EndedMessage[]): void {
  const { conversations, messages, timelines, pending, sentControls } = context;
  for (const { id, conversationId, sender, uid } of all) {
    messages.remove(id);
    sentControls.removeAbout(conversationId, { sender, id: uid });
    pending.take(conversationId, sender, uid);
  }
  for (const id of new Set(all.map(({ conversationId }) => conversationId))) {
    conversations.setLastMessage(id, timelines.lastId(id));
    const { lastReadId } = conversations.get(id) ?? { lastReadId: 0 };
    conversations.markRead(id, lastReadId, timelines.countReceivedAfter(id, lastReadId));
  }
}
