/** Files of a received message: stored with it, and downloaded without a request if they are small and of an accepted person. */
import { AUTOMATIC_BYTES, MAX_AUTOMATIC_BYTES } from '../../bridge/files.ts';
import { fileTypeOf } from '../../messaging/contents/file-types.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { planPicture } from '../cache/face-pictures.ts';
import type { Context } from '../context.ts';
import { downloadsFrom } from '../downloads-from.ts';
import { filesOf } from './message-files.ts';

/** Messages of an accepted request whose pictures are downloaded. A request has fewer. */
const MAX_MESSAGES = 500;

/** Stores the files of a message, in the caller's transaction. */
export function storeFiles(
  context: Context,
  conversation: StoredConversation,
  { id, sender, own }: { id: number; sender: string; own: boolean },
  attached: readonly AttachedFile[],
): void {
  const { files } = context;
  const ids = files.add({ id, conversationId: conversation.id }, attached);
  if (!own && !downloadsFrom(context, conversation, sender)) return;
  planDownloads(
    context,
    conversation.id,
    attached.map((claimed, place) => ({ claimed, id: ids[place] ?? 0 })),
  );
}

/** Plans the downloads of a conversation that was a request, in the caller's transaction. */
export function planDownloadsOfAccepted(context: Context, conversationId: number): void {
  const { conversations, files } = context;
  const partner = conversations.get(conversationId)?.partner;
  // A profile in an open group was without its picture.
  if (partner?.kind === 'direct') planPicture(context, partner.peer.address);
  const found = files
    .withRemote(conversationId, MAX_MESSAGES)
    .flatMap((messageId) => filesOf(context, messageId));
  planDownloads(
    context,
    conversationId,
    found.map(({ claimed, stored }) => ({ claimed, id: stored.id })),
  );
}

function planDownloads(
  { files, fileTasks }: Context,
  conversationId: number,
  found: readonly { claimed: AttachedFile; id: number }[],
): void {
  if (found.length === 0) return;
  let room = MAX_AUTOMATIC_BYTES - fileTasks.automaticBytes(conversationId);
  for (const { claimed, id } of found) {
    const isShown = ['image', 'voice'].includes(fileTypeOf(claimed));
    if (!isShown || claimed.size > AUTOMATIC_BYTES || claimed.size > room) continue;
    const stored = files.get(id);
    if (!stored || stored.isHere || stored.task) continue;
    fileTasks.planDownload(id, conversationId);
    room -= claimed.size;
  }
}
