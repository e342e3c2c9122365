/** Use of the disk, and removal of files. */
import { Failure } from '../../base/failure.ts';
import type { FileParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `storage.${string}`>;

export function storageProcedures({ context, clearing }: FileParts): Pick<Procedures, Names> {
  const { conversations, diskUse } = context;
  return {
    'storage.get': ({ limit }) => {
      const chats = diskUse.chats(limit + 1);
      return {
        messageBytes: diskUse.messageBytes(),
        fileBytes: diskUse.fileBytes(),
        chats: chats
          .slice(0, limit)
          .map(({ conversationId, ...use }) => ({ conversationId: String(conversationId), ...use })),
        hasMore: chats.length > limit,
      };
    },
    'storage.clear': async ({ conversationId }) => {
      const id = conversationId === null ? null : Number(conversationId);
      if (id !== null && !conversations.get(id)) throw new Failure('chat_deleted');
      await clearing.clear(id);
      return {};
    },
  };
}
