/** The newest edit of a message, and the stored state of its current text. */
import type { MessageBody } from '../messaging/sending/outgoing.ts';
import type { StoredEdit } from './cache/annotations.ts';
import type { StoredMessage } from './cache/message-rows.ts';
import type { Context } from './context.ts';

/** Stores the newest edit, with the links of the text. In the caller's transaction. @param edit null: the first text */
export function setCurrentEdit(
  { links, messages }: Pick<Context, 'links' | 'messages'>,
  { id, conversationId, body }: Pick<StoredMessage, 'id' | 'conversationId' | 'body'>,
  edit: StoredEdit | null,
): void {
  messages.setEdit(id, edit);
  links.set(id, conversationId, edit?.text ?? firstText(body));
}

/** The text or caption that an edit replaces. */
function firstText({ text, caption }: MessageBody): string {
  const words = text ?? caption;
  return typeof words === 'string' ? words : '';
}
