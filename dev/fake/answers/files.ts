import { Failure } from '../../../src/base/failure.ts';
import { linksIn } from '../../../src/base/markdown/links.ts';
import { type ChatUse, FILES_PATH, type FilePlace, type MessageFile } from '../../../src/bridge/files.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { extensionOf } from '../../../src/protocol/blob/file-name.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import type { DelayedAnswers } from '../delayed-answers.ts';
import { mediaTypeOf, pathOf } from '../files.ts';
import { DAY, NOW } from '../people.ts';
import type { World } from '../world.ts';

/** The extensions that are not opened. */
const PROGRAMS: ReadonlySet<string> = new Set(['exe', 'sh', 'desktop']);

/** The types that are played while they are downloaded. */
const PLAYED: ReadonlySet<MessageFile['type']> = new Set(['audio', 'video', 'voice']);

/** Files. A download is half there at once, and complete when `files.arrival` is not kept back. */
export function fileAnswers(
  world: World,
  emit: Emit,
  delayed: DelayedAnswers,
): AnswersOf<'files' | 'links' | 'pictures' | 'storage'> {
  const find = ({ messageId, index }: FilePlace): { message: Message; file: MessageFile } => {
    const message = [...world.messages.values()].flat().find(({ id }) => id === messageId);
    const file = message?.files[index];
    if (!message || !file) throw new Failure('file_missing');
    return { message, file };
  };
  const change = (place: FilePlace, part: Partial<MessageFile>) => {
    const { message } = find(place);
    message.files = message.files.map((each, index) => (index === place.index ? { ...each, ...part } : each));
    emit('messages.changed', { conversationId: message.conversationId });
  };

  const expiringIn = (conversationId: string) =>
    (world.messages.get(conversationId) ?? []).flatMap(({ id, files }) =>
      files.flatMap((file, index) =>
        file.state === 'remote' && file.until !== null && file.until <= NOW + 7 * DAY
          ? [{ file, place: { messageId: id, index } }]
          : [],
      ),
    );

  return {
    'files.limit': () => ({ bytes: world.mostFileBytes }),
    'files.begin': ({ size }) => {
      if (size === 0) throw new Failure('file_empty');
      if (size > world.mostFileBytes) throw new Failure('file_too_long', { most: world.mostFileBytes });
      const id = crypto.randomUUID();
      world.prepared.set(id, size);
      return { id, path: `${FILES_PATH}${id}` };
    },
    'pictures.begin': ({ size }) => {
      const id = crypto.randomUUID();
      world.prepared.set(id, size);
      return { id, path: `${FILES_PATH}${id}` };
    },
    // Of a scene: its size and name (dev/server/made-files.ts).
    'pictures.open': ({ id }) => ({
      path: `${FILES_PATH}${id.includes('/') ? `made/${id}` : id}`,
      mediaType: 'image/png',
      size: 20_000,
    }),
    'files.drop': ({ ids }) => {
      for (const id of ids) world.prepared.delete(id);
      return {};
    },
    'files.download': (place) => {
      const { message, file } = find(place);
      if (file.state !== 'remote') return {};
      change(place, { state: 'receiving', problem: null });
      const { conversationId } = message;
      emit('files.progress', { ...place, conversationId, done: Math.ceil(file.size / 2), total: file.size });
      void delayed.pass('files.arrival').then(() => {
        if (find(place).file.state === 'receiving') change(place, { state: 'here', until: null });
      });
      return {};
    },
    'files.stop': (place) => {
      const { message, file } = find(place);
      if (file.state === 'receiving') change(place, { state: 'remote' });
      if (file.state !== 'sending') return {};
      message.state = 'failed';
      message.problem = { code: 'file_stopped', parameters: {} };
      change(place, { state: 'here', problem: message.problem });
      return {};
    },
    'files.open': (place) => {
      const { message, file } = find(place);
      if (file.state === 'remote' || (file.state === 'receiving' && !PLAYED.has(file.type)))
        throw new Failure('file_missing');
      if (file.state === 'gone') throw new Failure('file_gone');
      return {
        path: pathOf(world, message, place.index),
        mediaType: isSound(file)
          ? mediaTypeOf(file.name).replace('video/', 'audio/')
          : mediaTypeOf(file.name),
        size: file.size,
      };
    },
    'files.list': ({ conversationId, type, before, limit }) => {
      const isMedia = ({ type }: MessageFile) => type === 'image' || type === 'video';
      const all = (world.messages.get(conversationId) ?? []).filter(
        ({ id, files }) =>
          files.some((each) => isMedia(each) === (type === 'media')) &&
          (before === undefined || Number(id) < Number(before)),
      );
      return { messages: all.slice(-limit).reverse(), hasOlder: all.length > limit };
    },
    'files.expiring': ({ conversationId }) => {
      const found = expiringIn(conversationId);
      return {
        count: found.length,
        bytes: found.reduce((sum, { file }) => sum + file.size, 0),
        until: found.length === 0 ? null : Math.min(...found.map(({ file }) => file.until ?? 0)),
      };
    },
    'files.downloadExpiring': ({ conversationId }) => {
      for (const { place } of expiringIn(conversationId)) change(place, { state: 'here', until: null });
      return {};
    },
    'links.preview': async ({ url }) => {
      await delayed.pass('links.preview');
      if (!world.settings.linkPreviews) return { page: null };
      const { hostname } = new URL(url);
      const picture = await fetch(`${FILES_PATH}made/320x200/${hostname}.png`);
      const bytes = new Uint8Array(await picture.arrayBuffer());
      const page = {
        title: `Harbor club of ${hostname}`,
        description: 'Boats, tides and the minutes of all meetings, with pictures of the harbor in fog.',
        image: btoa(String.fromCharCode(...bytes)),
      };
      return { page };
    },
    'links.list': ({ conversationId, before, limit }) => {
      const all = (world.messages.get(conversationId) ?? []).flatMap(({ id, text }) =>
        linksIn(text).map((href, place) => ({ messageId: id, place, href })),
      );
      const end = before
        ? all.findIndex(({ messageId, place }) => messageId === before.messageId && place === before.place)
        : all.length;
      const links = all.slice(Math.max(0, end - limit), end).reverse();
      const ids = new Set(links.map(({ messageId }) => messageId));
      const messages = (world.messages.get(conversationId) ?? []).filter(({ id }) => ids.has(id));
      return { links, messages, hasOlder: end > limit };
    },
    'storage.get': ({ limit }) => {
      const chats = [...world.messages]
        .map(([conversationId, messages]) => useOf(conversationId, messages))
        .filter(({ bytes }) => bytes > 0)
        .sort((one, other) => other.bytes - one.bytes);
      return {
        messageBytes: world.messageBytes,
        fileBytes: chats.reduce((sum, { bytes }) => sum + bytes, 0),
        chats: chats.slice(0, limit),
        hasMore: chats.length > limit,
      };
    },
    'storage.clear': ({ conversationId }) => {
      for (const [id, messages] of world.messages) {
        if (conversationId !== null && conversationId !== id) continue;
        for (const message of messages) message.files = message.files.map(cleared);
        emit('messages.changed', { conversationId: id });
      }
      return {};
    },
    'files.save': () => ({ isSaved: true }),
    'files.launch': (place) => {
      if (PROGRAMS.has(extensionOf(find(place).file.name))) throw new Failure('file_is_program');
      return {};
    },
  };
}

/** The files of a conversation that are here. */
function useOf(conversationId: string, messages: readonly Message[]): ChatUse {
  const here = messages.flatMap(({ files }) => files.filter(({ state }) => state === 'here'));
  const use = (...types: MessageFile['type'][]) => {
    const those = here.filter(({ type }) => types.includes(type));
    return { files: those.length, bytes: those.reduce((sum, { size }) => sum + size, 0) };
  };
  return {
    conversationId,
    bytes: here.reduce((sum, { size }) => sum + size, 0),
    image: use('image'),
    video: use('video'),
    audio: use('audio', 'voice'),
    other: use('other'),
  };
}

/** The relay keeps files for 45 days. */
function cleared(file: MessageFile): MessageFile {
  return file.state === 'here' ? { ...file, state: 'remote', until: NOW + 20 * DAY } : file;
}

/** A container of video bytes may have only sound. */
function isSound({ type }: MessageFile): boolean {
  return type === 'audio' || type === 'voice';
}
