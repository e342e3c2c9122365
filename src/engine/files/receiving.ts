/** Files of a received message: stored with it, and downloaded without a request if they are small and of an accepted person. */
import { AUTOMATIC_BYTES, MOST_AUTOMATIC_BYTES } from '../../bridge/files.ts';
import { fileTypeOf } from '../../messaging/contents/file-types.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { Context } from '../context.ts';

/**
 * Stores the files of a message, in the caller's transaction.
 */
export function storeFiles(
  { files }: Pick<Context, 'files'>,
  conversation: Pick<StoredConversation, 'id' | 'state'>,
  messageId: number,
  attached: readonly AttachedFile[],
): void {
  const ids = files.add({ id: messageId, conversationId: conversation.id }, attached);
  if (conversation.state !== 'accepted') return;
  let room = MOST_AUTOMATIC_BYTES - files.automaticBytes(conversation.id);
  for (const [place, file] of attached.entries()) {
    const id = ids[place] ?? 0;
    const isShown = ['image', 'voice'].includes(fileTypeOf(file));
    if (!isShown || file.size > AUTOMATIC_BYTES || file.size > room) continue;
    const stored = files.get(id);
    if (!stored || stored.isHere || stored.task) continue;
    files.plan(id, 'download', conversation.id);
    room -= file.size;
  }
}
