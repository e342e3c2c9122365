/** Files: preparing and sending them, their downloads, and their addresses for a page. */
import { Failure } from '../../base/failure.ts';
import type { FilePlace, FileToSend } from '../../bridge/files.ts';
import { type FileType, fileTypeOf } from '../../messaging/contents/file-types.ts';
import { AttachmentContent, messageWithFiles } from '../../messaging/contents/kinds/attachment.ts';
import { mentionsField } from '../../messaging/contents/mentions.ts';
import { findTextProblem, requireCaption, toMessageText } from '../../messaging/contents/text.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { toFileName } from '../../protocol/blob/file-name.ts';
import { largestFile, MAX_FILE_BYTES } from '../../protocol/blob/layout.ts';
import { MEDIA_TYPE_BYTES, mediaTypeOf, UNKNOWN_TYPE } from '../../protocol/blob/media-type.ts';
import { decodeBase64, encodeBase64Url } from '../../protocol/encoding.ts';
import type { PlacedFile, StoredFile } from '../cache/files.ts';
import { type FileOfMessage, filesOf, isPlayed, shownType } from '../files/message-files.ts';
import { sealedOf } from '../files/transfers.ts';
import { type FileParts, requireOnline } from '../parts.ts';
import { markRead } from '../read-position.ts';
import { toMessages } from '../views/messages.ts';
import { compose } from '../writing/compose.ts';
import { mentionsToSend } from '../writing/mentions.ts';
import { dropPrepared, prepareFile } from '../writing/prepare-file.ts';
import type { Procedures } from './implementation.ts';
import { refTo } from './message-actions.ts';

/** Files that are played while they are downloaded. */
const PLAYED: ReadonlySet<FileType> = new Set(['audio', 'video', 'voice']);

type Names =
  | `files.${'limit' | 'begin' | 'drop' | 'download' | 'stop' | 'open' | 'list'}`
  | 'messages.sendFiles';

/** @throws Failure file_unprepared, file_unfinished, input_malformed */
function toAttached(stored: StoredFile | null, given: FileToSend): AttachedFile {
  if (!stored?.isPrepared) throw new Failure('file_unprepared');
  if (!stored.digest) throw new Failure('file_unfinished');
  const { id: _, thumbnail, waveform, name, mediaType, ...rest } = given;
  try {
    return {
      ...rest,
      key: encodeBase64Url(stored.key),
      digest: encodeBase64Url(stored.digest),
      size: stored.size,
      mediaType: mediaType || 'application/octet-stream',
      name: toFileName(name),
      ...(thumbnail !== undefined && { thumbnail: encodeBase64Url(decodeBase64(thumbnail)) }),
      ...(waveform && { waveform: encodeBase64Url(Uint8Array.from(waveform)) }),
    };
  } catch {
    throw new Failure('input_malformed');
  }
}

/** @throws Failure as a text that is too long */
function captionOf(typed: string): string {
  if (typed.trim() === '') return '';
  const text = toMessageText(typed);
  const problem = findTextProblem(text);
  if (problem !== null) throw problem;
  requireCaption(text);
  return text;
}

/**
 * The type of a sound or film that is being downloaded, once its first bytes are here. Anything else is not shown before it
 * is complete.
 * @throws Failure file_missing if it is not being downloaded; those of the download
 */
async function arrivingType(parts: FileParts, found: FileOfMessage): Promise<string> {
  const { context, thread } = parts;
  const { claimed, stored } = found;
  const message = context.messages.get(stored.messageId);
  const conversation = message && context.conversations.get(message.conversationId);
  if (conversation?.state !== 'accepted' || stored.task !== 'download' || !PLAYED.has(fileTypeOf(claimed)))
    throw new Failure('file_missing');
  requireOnline(parts).transfers.play(stored.id);
  const begin = await thread.call((functions) =>
    functions.readArriving(sealedOf(stored), 0, MEDIA_TYPE_BYTES),
  );
  const type = shownType({ claimed, stored: { ...stored, mediaType: mediaTypeOf(begin) } });
  return isPlayed(type) ? type : UNKNOWN_TYPE;
}

export function fileProcedures(parts: FileParts): Pick<Procedures, Names> {
  const { context, addresses } = parts;
  const { conversations, files, messages } = context;

  const conversationOf = (id: string) => {
    const conversation = conversations.get(Number(id));
    if (!conversation) throw new Failure('chat_deleted');
    return conversation;
  };
  const find = (place: FilePlace): PlacedFile => {
    const found = filesOf(context, Number(place.messageId))[place.index];
    if (!found) throw new Failure('file_missing');
    return found.stored;
  };
  return {
    'files.limit': () => {
      const known = requireOnline(parts).account.relay.knownLimits;
      return { bytes: known ? largestFile(known.blobBytes) : MAX_FILE_BYTES };
    },

    'files.begin': ({ conversationId, size }) => {
      conversationOf(conversationId);
      return prepareFile(parts, size);
    },

    'files.drop': ({ ids }) => {
      dropPrepared(parts, ids.map(Number));
      return {};
    },

    'messages.sendFiles': ({ conversationId, files: given, text: typed, replyTo, mentions = [] }) => {
      const online = requireOnline(parts);
      const conversation = conversationOf(conversationId);
      const text = captionOf(typed);
      const ids = given.map(({ id }) => Number(id));
      if (new Set(ids).size < ids.length) throw new Failure('input_malformed');
      const attached = given.map((each) => toAttached(files.get(Number(each.id)), each));
      const counting = mentionsToSend(context, conversation, { text, mentions });
      const content = messageWithFiles(attached, {
        caption: text,
        replyTo: replyTo === undefined ? undefined : refTo(context, conversation, replyTo),
        ...mentionsField(text, counting),
      });
      if (!AttachmentContent.safeParse(content).success) throw new Failure('input_malformed');
      const message = context.transaction(() => {
        const composed = compose(parts, conversation, content);
        files.attach({ id: composed.id, conversationId: conversation.id }, attached, ids);
        return composed;
      });
      markRead(parts, conversation);
      online.transfers.wake();
      const [view] = toMessages(context, conversation, [message]);
      if (!view) throw new Error('a message without its view');
      return view;
    },

    'files.download': (place) => {
      const online = requireOnline(parts);
      const { id, isHere, task } = find(place);
      if (isHere || task) return {};
      context.fileTasks.planDownload(id, null);
      online.transfers.wake();
      const message = messages.get(Number(place.messageId));
      if (message) context.emit('messages.changed', { conversationId: String(message.conversationId) });
      return {};
    },

    'files.stop': async (place) => {
      await requireOnline(parts).transfers.stop(find(place).id);
      return {};
    },

    'files.open': async (place) => {
      const found = filesOf(context, Number(place.messageId))[place.index];
      if (!found) throw new Failure('file_missing');
      const { id, size } = found.stored;
      const mediaType = found.stored.isHere ? shownType(found) : await arrivingType(parts, found);
      const { path } = addresses.of({ id, name: toFileName(found.claimed.name), mediaType });
      return { path, size, mediaType };
    },

    'files.list': ({ conversationId, type, before, limit }) => {
      const conversation = conversationOf(conversationId);
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
      const ids = files.list(conversation.id, type === 'media', last, limit + 1);
      const found = messages.getAll(ids.slice(0, limit)).toSorted((a, b) => b.id - a.id);
      return { messages: toMessages(context, conversation, found), hasOlder: ids.length > limit };
    },
  };
}
