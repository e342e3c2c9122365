/** Files that the relay deletes soon, and that are not on this computer. */
import { Failure } from '../../base/failure.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = 'files.expiring' | 'files.downloadExpiring';

/** Time before the deletion at the relay that counts as soon, in milliseconds. */
const SOON = 7 * 24 * 3_600_000;
/** Limit of files that are counted and downloaded together. */
const MAX_FILES = 1_000;

export function expiringFileProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, files, fileTasks, now } = context;
  const find = (id: string) => {
    const conversation = conversations.get(Number(id));
    if (!conversation) throw new Failure('chat_deleted');
    if (conversation.state === 'request') return [];
    return files.expiring(conversation.id, now(), now() + SOON, MAX_FILES);
  };
  return {
    'files.expiring': ({ conversationId }) => {
      const found = find(conversationId);
      return {
        count: found.length,
        bytes: found.reduce((sum, { size }) => sum + size, 0),
        until: found.length === 0 ? null : Math.min(...found.map(({ until }) => until)),
      };
    },
    'files.downloadExpiring': ({ conversationId }) => {
      const online = requireOnline(parts);
      const found = find(conversationId);
      context.transaction(() => {
        for (const { id } of found) fileTasks.planDownload(id, null);
      });
      if (found.length === 0) return {};
      online.transfers.wake();
      context.emit('messages.changed', { conversationId });
      return {};
    },
  };
}
