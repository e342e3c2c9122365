/**
 * Removal of messages and conversations from the cache. With the row of a message its reactions, pins, edits and outbox copies
 * are removed.
 */
import { BLOB_LIFE } from '../protocol/blob/layout.ts';
import type { EndedMessage } from './cache/lifetimes.ts';
import type { Context } from './context.ts';

/** Removes messages, in the caller's transaction. The caller erases the write-ahead log afterwards. */
export function removeMessages(context: Context, all: readonly EndedMessage[]): void {
  const { conversations, messages, timelines, now, pending, sentControls, unwantedBlobs } = context;
  for (const { id, conversationId, sender, uid } of all) {
    const message = messages.get(id);
    // An own message that was never sealed: its keys were not sent.
    if (message?.trust === 'self' && message.digest === null)
      unwantedBlobs.giveUpMessage(id, now() + BLOB_LIFE);
    messages.remove(id);
    sentControls.removeAbout(conversationId, { sender, id: uid });
    pending.remove(conversationId, sender, uid);
  }
  for (const id of new Set(all.map(({ conversationId }) => conversationId))) {
    conversations.setLastMessage(id, timelines.lastId(id));
    const { lastReadId } = conversations.get(id) ?? { lastReadId: 0 };
    conversations.markRead(id, lastReadId, timelines.countReceivedAfter(id, lastReadId));
  }
}

/**
 * Removes a conversation with its messages.
 * @param alsoRemove called in the same transaction
 */
export function removeConversation(context: Context, id: number, alsoRemove: () => void): void {
  const { conversations, now, transaction, unwantedBlobs } = context;
  transaction(() => {
    unwantedBlobs.giveUpUnsealed(id, now() + BLOB_LIFE);
    conversations.remove(id);
    alsoRemove();
  });
  context.eraseTraces();
}
