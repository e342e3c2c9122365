import { Failure } from '../../../src/base/failure.ts';
import { FILES_PATH, type FilePlace, type MessageFile } from '../../../src/bridge/files.ts';
import type { Message } from '../../../src/bridge/shapes.ts';
import { extensionOf } from '../../../src/protocol/blob/file-name.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { mediaTypeOf, pathOf } from '../files.ts';
import type { HeldAnswers } from '../held-answers.ts';
import type { World } from '../world.ts';

/** The extensions that are not opened. */
const PROGRAMS: ReadonlySet<string> = new Set(['exe', 'sh', 'desktop']);

/** Files. A download is half there at once, and complete when `files.arrival` is not kept back. */
export function fileAnswers(world: World, emit: Emit, held: HeldAnswers): AnswersOf<'files'> {
  const find = ({ messageId, index }: FilePlace): { message: Message; file: MessageFile } => {
    const message = [...world.messages.values()].flat().find(({ id }) => id === messageId);
    const file = message?.files[index];
    if (!message || !file) throw new Failure('message_deleted');
    return { message, file };
  };
  const change = (place: FilePlace, part: Partial<MessageFile>) => {
    const { message } = find(place);
    message.files = message.files.map((each, index) => (index === place.index ? { ...each, ...part } : each));
    emit('messages.changed', { conversationId: message.conversationId });
  };

  return {
    'files.begin': ({ size }) => {
      if (size === 0) throw new Failure('file_empty');
      if (size > world.mostFileBytes) throw new Failure('file_too_long', { most: world.mostFileBytes });
      const id = crypto.randomUUID();
      world.prepared.set(id, size);
      return { id, path: `${FILES_PATH}${id}` };
    },
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
      void held.pass('files.arrival').then(() => {
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
      change(place, { state: 'here' });
      return {};
    },
    'files.open': (place) => {
      const { message, file } = find(place);
      if (file.state === 'remote' || file.state === 'receiving') throw new Failure('file_missing');
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
    'files.save': () => ({ isSaved: true }),
    'files.launch': (place) => {
      if (PROGRAMS.has(extensionOf(find(place).file.name))) throw new Failure('file_is_program');
      return {};
    },
  };
}

/** A container of video bytes may have only sound. */
function isSound({ type }: MessageFile): boolean {
  return type === 'audio' || type === 'voice';
}
