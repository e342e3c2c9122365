/** Actions on existing messages: react, edit, delete, forward, pin. */
import { Failure } from '../../base/failure.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { edited } from '../../messaging/contents/edits.ts';
import type { Mention, Ref } from '../../messaging/contents/fields.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { messageWithFiles } from '../../messaging/contents/kinds/attachment.ts';
import { mentionsField } from '../../messaging/contents/mentions.ts';
import { bodyNow } from '../../messaging/contents/shown.ts';
import { newWords } from '../../messaging/contents/text.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import { removeMessages } from '../erasing.ts';
import { type FileParts, requireOnline } from '../parts.ts';
import { toMessageInfo } from '../views/message-info.ts';
import { isUnsealed, personRoleOf, rightsOf } from '../views/message-rights.ts';
import { toMessages } from '../views/messages.ts';
import { compose, composeControl } from '../writing/compose.ts';
import { type ForwardedFiles, Forwarding } from '../writing/forward-files.ts';
import { mentionsToSend } from '../writing/mentions.ts';
import type { Procedures } from './implementation.ts';

type Names = `messages.${'react' | 'edit' | 'versions' | 'info' | 'delete' | 'forward' | 'pin' | 'pinned'}`;

const MAX_PINNED = 50;

/**
 * The reference that others use for a message.
 * @throws Failure message_deleted, message_unsent
 */
export function refTo(context: Context, conversation: StoredConversation, id: string): Ref {
  const message = context.messages.get(Number(id));
  if (message?.conversationId !== conversation.id || message.event) throw new Failure('message_deleted');
  return refOf(message);
}

/** @throws Failure message_deleted, message_unsent */
function refOf({ sender, uid, digest, state, deletedBy }: StoredMessage): Ref {
  if (deletedBy !== null) throw new Failure('message_deleted');
  if (digest === null || state === 'queued' || state === 'failed') throw new Failure('message_unsent');
  return { sender, id: uid, digest };
}

/** Contents of messages for forwarding, in timeline order. @throws Failure nothing_to_forward; as {@link Forwarding.prepare} */
async function contentsToForward(
  context: Context,
  forwarding: Forwarding,
  ids: readonly number[],
): Promise<{ content: Content; files: ForwardedFiles | null }[]> {
  const contents: { content: Content; files: ForwardedFiles | null }[] = [];
  for (const { id, body, edit, event, deletedBy } of context.messages.getAll(ids)) {
    if (event || deletedBy !== null) continue;
    const { kind, text, caption } = bodyNow(body, edit);
    if (kind === 'text' && typeof text === 'string')
      contents.push({ content: { kind: 'text', text, forwarded: true }, files: null });
    if (kind !== 'attachment') continue;
    const files = await forwarding.prepare(id);
    if (files.files.length === 0) continue;
    const words = typeof caption === 'string' ? caption : '';
    contents.push({ content: messageWithFiles(files.files, { caption: words, forwarded: true }), files });
  }
  if (contents.length === 0) throw new Failure('nothing_to_forward');
  return contents;
}

export function messageActionProcedures(parts: FileParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { annotations, conversations, messages } = context;

  const find = (id: string) => {
    const message = messages.get(Number(id));
    const conversation = message && conversations.get(message.conversationId);
    if (!message || message.event || !conversation) throw new Failure('message_deleted');
    const own = requireOnline(parts).account.address;
    const can = rightsOf(personRoleOf(context, conversation, own), message, context.now());
    return { message, conversation, can, own };
  };
  const shown = (id: string): Message => {
    const { message, conversation } = find(id);
    const [view] = toMessages(context, conversation, [message]);
    if (!view) throw new Error('a message without its view');
    return view;
  };
  const changed = (conversationId: number) => {
    context.emit('messages.changed', { conversationId: String(conversationId) });
    context.emit('conversations.changed', { ids: [String(conversationId)] });
  };
  /** Removes messages from this device. @param all of one conversation */
  const remove = (all: readonly StoredMessage[]) => {
    const [first] = all;
    if (!first) return;
    const { conversationId } = first;
    context.transaction(() => removeMessages(context, all));
    context.eraseTraces();
    changed(conversationId);
  };

  return {
    'messages.react': ({ id, emoji }) => {
      const { message, conversation, can, own } = find(id);
      const target = refOf(message);
      if (!can.refer) throw new Failure('message_unsent');
      const set = [...new Set(emoji.map((each) => each.toWellFormed()))];
      const before = annotations.reactionVersion(message.id, { by: 'person', address: own });
      composeControl(parts, conversation, { kind: 'reaction', target, emoji: set }, before);
      return shown(id);
    },

    'messages.edit': ({ id, text: typed, mentions = [] }) => {
      const { message, conversation, can, own } = find(id);
      const fields = newWords(typed, message.body.kind === 'attachment');
      const text = 'text' in fields ? fields.text : fields.caption;
      if (!can.edit && message.state === 'queued') throw new Failure('message_underway');
      if (!can.edit) throw new Failure(message.sender === own ? 'edit_too_late' : 'message_not_yours');
      // People who have left since stay mentioned.
      const before = (bodyNow(message.body, message.edit).mentions as readonly Mention[] | undefined) ?? [];
      const also = before.map(({ address }) => address);
      const counting = mentionsToSend(context, conversation, { text, mentions, also });
      const words = { ...fields, ...mentionsField(text, counting) };
      if (isUnsealed(message)) {
        const body = edited(message.body, words);
        messages.setBody(message.id, body as typeof message.body, null);
        changed(conversation.id);
        return shown(id);
      }
      const target = refOf(message);
      composeControl(
        parts,
        conversation,
        { kind: 'edit', target, ...words },
        annotations.editVersion(message.id),
      );
      return shown(id);
    },

    'messages.versions': ({ id }) => {
      const { message } = find(id);
      if (message.deletedBy !== null) throw new Failure('message_deleted');
      const textIn = ({ text, caption }: StoredMessage['body']) => String(text ?? caption ?? '');
      const first = { text: textIn(message.body), at: message.sentAt };
      const edits = annotations.edits(message.id).map((edit) => ({
        text: textIn(bodyNow(message.body, edit)),
        at: decodeTime(edit.sentAt),
      }));
      return [first, ...edits];
    },

    'messages.info': ({ id }) => {
      const { message, conversation } = find(id);
      return toMessageInfo(context, conversation, message, requireOnline(parts).account);
    },

    'messages.delete': ({ ids, forEveryone }) => {
      const all = ids.map(find);
      const [first] = all;
      if (!first) return {};
      const { conversation } = first;
      if (all.some((each) => each.conversation.id !== conversation.id)) throw new Failure('message_unknown');
      if (!forEveryone) {
        if (all.some(({ message }) => message.state === 'queued' && !isUnsealed(message)))
          throw new Failure('message_underway');
        remove(all.map(({ message }) => message));
        return {};
      }
      if (all.some(({ can }) => !can.deleteForEveryone)) throw new Failure('message_not_yours');
      const unsealed = all.filter(({ message }) => isUnsealed(message)).map(({ message }) => message);
      const targets = all.filter(({ message }) => !isUnsealed(message)).map(({ message }) => refOf(message));
      if (targets.length > 0) composeControl(parts, conversation, { kind: 'delete', targets }, null);
      remove(unsealed);
      return {};
    },

    'messages.forward': async ({ ids, to }) => {
      const chats = () =>
        to.map((id) => {
          const conversation = conversations.get(Number(id));
          if (!conversation) throw new Failure('chat_deleted');
          return conversation;
        });
      chats();
      const forwarding = new Forwarding(parts);
      try {
        const contents = await contentsToForward(context, forwarding, ids.map(Number));
        // All of them or none.
        context.transaction(() => {
          for (const conversation of chats())
            for (const { content, files } of contents) {
              const { id, conversationId } = compose(parts, conversation, content);
              if (files) forwarding.attach({ id, conversationId }, files);
            }
        });
      } catch (error) {
        forwarding.drop();
        throw error;
      }
      parts.online?.transfers.wake();
      return {};
    },

    'messages.pin': ({ id, pinned }) => {
      const { message, conversation, can } = find(id);
      const target = refOf(message);
      if (!can.pin) throw new Failure('pin_by_admins');
      const before = annotations.pinVersion(message.id);
      composeControl(parts, conversation, { kind: 'pin', target, pinned }, before);
      return shown(id);
    },

    'messages.pinned': ({ conversationId }) => {
      const conversation = conversations.get(Number(conversationId));
      if (!conversation) throw new Failure('chat_deleted');
      const ids = annotations.pinned(conversation.id, MAX_PINNED);
      const byId = new Map(messages.getAll(ids).map((message) => [message.id, message]));
      return toMessages(
        context,
        conversation,
        ids.flatMap((id) => byId.get(id) ?? []),
      );
    },
  };
}
