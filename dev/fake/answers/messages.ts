import { Failure } from '../../../src/base/failure.ts';
import { textParts } from '../../../src/base/text-parts.ts';
import { FILES_PATH } from '../../../src/bridge/files.ts';
import type { Message, Quote } from '../../../src/bridge/shapes/message.ts';
import { fileTypeOf } from '../../../src/messaging/contents/file-types.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { followMessages, message, placedIn, quoteOf } from '../conversations.ts';
import { file, withFiles } from '../files.ts';
import type { World } from '../world.ts';

/** Messages. Sending succeeds at once, no person answers, and each action on a message takes effect. */
export function messageAnswers(world: World, emit: Emit): AnswersOf<'messages'> {
  const versions = new Map<string, { text: string; at: number }[]>();
  const messagesOf = (conversationId: string) => world.messages.get(conversationId) ?? [];
  const find = (id: string): Message => {
    const found = [...world.messages.values()].flat().find((each) => each.id === id);
    if (!found) throw new Failure('message_deleted');
    return found;
  };
  const changed = (id: string) => {
    const conversation = world.conversations.find((each) => each.id === id);
    if (!conversation) return;
    followMessages(conversation, messagesOf(id));
    emit('messages.changed', { conversationId: id });
    emit('conversations.changed', { ids: [id] });
  };
  const change = (id: string, part: Partial<Message>) => {
    const found = Object.assign(find(id), part);
    changed(found.conversationId);
    return found;
  };
  /** Fails if the relay refuses everything in its conversation. */
  const send = (message: Message): Message => {
    const { id, conversationId } = message;
    if (!world.refusedIn.has(conversationId)) return message;
    const conversation = world.conversations.find((each) => each.id === conversationId);
    if (conversation) conversation.failures += 1;
    const problem = { code: 'forbidden', parameters: { detail: '', reason: '' } } as const;
    return change(id, { state: 'failed', problem });
  };
  const remove = (id: string) => {
    const { conversationId } = find(id);
    world.messages.set(
      conversationId,
      messagesOf(conversationId).filter((each) => each.id !== id),
    );
    changed(conversationId);
  };
  const add = (conversationId: string, text: string, part: Partial<Message>): Message => {
    const all = messagesOf(conversationId);
    const state = world.connection.state === 'online' ? 'sent' : 'queued';
    const sent = message(world, conversationId, [null, text, { state, ...part }], all.length + 1, Date.now());
    world.messages.set(conversationId, [...all, sent]);
    changed(conversationId);
    return send(sent);
  };

  return {
    'messages.list': ({ conversationId, before, after, around, limit }) => {
      const all = messagesOf(conversationId);
      if (around !== undefined) {
        const middle = all.findIndex(({ id }) => id === around);
        if (middle < 0) throw new Failure('message_deleted');
        const from = Math.max(0, middle - Math.floor(limit / 2));
        const page = all.slice(from, from + limit);
        return { messages: page, hasOlder: from > 0, hasNewer: from + limit < all.length };
      }
      if (after !== undefined) {
        const newer = all.filter(({ id }) => Number(id) > Number(after));
        return { messages: newer.slice(0, limit), hasOlder: true, hasNewer: newer.length > limit };
      }
      const older = before === undefined ? all : all.filter(({ id }) => Number(id) < Number(before));
      return {
        messages: older.slice(-limit),
        hasOlder: older.length > limit,
        hasNewer: before !== undefined,
      };
    },
    'messages.from': ({ conversationId, at }) => {
      const all = messagesOf(conversationId);
      return { id: (all.find((each) => each.sentAt >= at) ?? all.at(-1))?.id ?? null };
    },
    'messages.records': ({ conversationId, after }) => {
      const all = after === null ? messagesOf(conversationId) : [];
      const records = all.map(({ id, sender, text, sentAt }) => ({
        type: 'message',
        id,
        sender,
        sentAt,
        body: { text },
      }));
      return { records, next: all.length > 0 ? { place: 0, late: 0, id: 0 } : null };
    },
    'messages.beginImport': ({ account }) => {
      if ((account as { type?: unknown } | null)?.type !== 'account')
        throw new Failure('import_unknown', { line: 1 });
      return {};
    },
    'messages.import': ({ records }) => ({ added: records.length, withoutChat: 0 }),
    'messages.send': ({ conversationId, text, replyTo, mentions, inParts, preview }) => {
      const quote: Quote | null = replyTo === undefined ? null : quoteOf(find(replyTo));
      if (inParts) {
        const [first] = textParts(text, 16_384).map((part) => add(conversationId, part.text, {}));
        return first as Message;
      }
      return add(conversationId, text, {
        replyTo: quote,
        mentions: placedIn(world, mentions),
        preview: preview ? { ...preview, host: new URL(preview.url).host } : null,
      });
    },
    'messages.sendFiles': ({ conversationId, files, text, replyTo, mentions }) => {
      const isOnline = world.connection.state === 'online';
      const sent = files.map((each) => {
        const { id, mediaType, voice, name } = each;
        const size = world.prepared.get(id);
        if (size === undefined) throw new Failure('file_unprepared');
        return file(name, {
          size,
          type: fileTypeOf({ mediaType, ...(voice !== undefined && { voice }) }),
          width: each.width ?? null,
          height: each.height ?? null,
          durationMs: each.durationMs ?? null,
          alt: each.alt ?? null,
          waveform: each.waveform ?? null,
          blurhash: each.blurhash ?? null,
          thumbnail: each.thumbnail ?? null,
          state: isOnline ? 'here' : 'sending',
        });
      });
      const message = add(conversationId, text, {
        ...withFiles(sent),
        replyTo: replyTo === undefined ? null : quoteOf(find(replyTo)),
        mentions: placedIn(world, mentions),
      });
      for (const [index, { id }] of files.entries()) {
        world.paths.set(`${message.id}/${index}`, `${FILES_PATH}${id}`);
      }
      return message;
    },
    'messages.retry': ({ id }) => send(change(id, { state: 'sent', problem: null })),
    'messages.discard': ({ id }) => {
      remove(id);
      return {};
    },
    'messages.react': ({ id, emoji }) => {
      const { address, handle, displayName } = world.me;
      const self = { address, handle, displayName, nickname: null, handleVerified: false, picture: null };
      const others = find(id).reactions.flatMap((each) => {
        if (!each.isMine) return [each];
        const people = each.people.filter((who) => who.address !== address);
        return each.count > 1 ? [{ ...each, count: each.count - 1, isMine: false, people }] : [];
      });
      const again = others.map((each) =>
        emoji.includes(each.emoji)
          ? { ...each, count: each.count + 1, isMine: true, people: [self, ...each.people] }
          : each,
      );
      const first = emoji
        .filter((one) => !others.some((each) => each.emoji === one))
        .map((one) => ({ emoji: one, count: 1, isMine: true, people: [self] }));
      const reactions = [...again, ...first];
      return change(id, { reactions });
    },
    'messages.edit': ({ id, text, mentions }) => {
      const before = find(id);
      const kept = versions.get(id) ?? [{ text: before.text, at: before.sentAt }];
      const editedAt = Date.now();
      versions.set(id, [...kept, { text, at: editedAt }]);
      return change(id, { text, mentions: placedIn(world, mentions), editedAt });
    },
    'messages.versions': ({ id }) => versions.get(id) ?? [{ text: find(id).text, at: find(id).sentAt }],
    'messages.info': ({ id }) => {
      const of = find(id);
      const { author, bot, conversationId, state, storedAt, trust } = of;
      const conversation = world.conversations.find((each) => each.id === conversationId);
      const others = conversation?.kind === 'direct' ? [conversation.peer] : world.people.slice(0, 3);
      const isOwn = state !== 'received';
      const isSigned = trust === 'self' || trust === 'verified';
      return {
        ...{ id, conversationId, author, trust, bot: bot?.name ?? null },
        ...{ writtenAt: of.sentAt, sentAt: of.sentAt, receivedAt: isOwn ? null : storedAt },
        device: isSigned ? { id: 'k3Jd9sQm2xW7aBvT5yLcEg', isThis: isOwn } : null,
        listSequence: isSigned && !isOwn ? 2 : null,
        isVerified: conversation?.kind === 'direct' && conversation.verifiedAt !== null,
        postQuantum: state === 'queued' ? null : isSigned,
        recipients: state === 'sent' ? others.map((person) => ({ person, delivery: of.delivery })) : null,
        disappears: of.disappears,
        edits: Math.max(0, (versions.get(id)?.length ?? 1) - 1),
      };
    },
    'messages.delete': ({ ids, forEveryone }) => {
      for (const id of ids) {
        if (!forEveryone) remove(id);
        else {
          const { address, handle, displayName } = world.me;
          const deletedBy = {
            address,
            handle,
            displayName,
            nickname: null,
            handleVerified: false,
            picture: null,
          };
          change(id, {
            kind: 'deleted',
            text: '',
            files: [],
            reactions: [],
            moreReactions: 0,
            replyTo: null,
            pinned: false,
            deletedBy,
          });
        }
      }
      return {};
    },
    'messages.forward': ({ ids, to }) => {
      for (const conversation of to) {
        for (const id of ids) {
          const { kind, fields, files, text } = find(id);
          const copy = add(conversation, text, { kind, fields, files, forwarded: true });
          for (const index of files.keys()) {
            const path = world.paths.get(`${id}/${index}`);
            if (path !== undefined) world.paths.set(`${copy.id}/${index}`, path);
          }
        }
      }
      return {};
    },
    'messages.pin': ({ id, pinned }) => change(id, { pinned }),
    'messages.pinned': ({ conversationId }) => messagesOf(conversationId).filter(({ pinned }) => pinned),
  };
}
