/** Sending a tray: its files are prepared and written one after the other, then the message is sent. */
import type { FileToSend } from '../../../../bridge/files.ts';
import type { Message } from '../../../../bridge/shapes/message.ts';
import { callBridge } from '../../../bridge.ts';
import { showFailure } from '../../../design/toasts.tsx';
import { unlessAborted } from '../../../shared/pictures/decoder-limit.ts';
import { Unreadable } from '../../../shared/unreadable.ts';
import { unsaved } from '../../../shared/unsaved-drafts.ts';
import { writeFile } from '../../../shared/write-file.ts';
import { t } from '../../../words.tsx';
import { describeSound } from '../voice/loudness.ts';
import { recognized } from './add-files.ts';
import { describeMedia } from './prepare-media.ts';
import { type Prepared, preparePicture } from './prepare-picture.ts';
import {
  type Caption,
  changeFile,
  changeTray,
  removeFiles,
  startJob,
  type TrayFile,
  trayOf,
} from './tray.ts';

/** Limits of the thumbnails, in bytes: of one, and of a message. */
const MAX_THUMBNAIL = 8_192;
const MAX_THUMBNAILS = 24_576;

/** Limit of a media type. */
const LONGEST_TYPE = 127;

/** A picture that cannot be prepared. */
class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

/**
 * Sends the files of a tray with a caption. After a failure, both are in the tray, with the reason at the file. A lock
 * before the end forgets the files, and the chat shows a sentence about it.
 */
export async function sendFiles(conversationId: string, caption: Caption): Promise<Message | null> {
  const signal = startJob(conversationId);
  changeTray(conversationId, { sending: { done: 0, total: 0 } });
  // The field is empty now. A lock meanwhile keeps the text as a draft.
  const saveCaption = async () => {
    const { text, mentions } = caption.written;
    // The field may have another text meanwhile.
    if (text === '') return;
    await callBridge('conversations.saveDraft', { id: conversationId, text, mentions: [...mentions] });
  };
  unsaved.add(saveCaption);
  const written: FileToSend[] = [];
  let current: TrayFile | undefined;
  let isComplete = false;
  try {
    await unlessAborted(signal, recognized());
    signal.throwIfAborted();
    const { files } = trayOf(conversationId);
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    changeTray(conversationId, {
      files: files.map((each) => ({ ...each, problem: null })),
      notice: '',
      sending: { done: 0, total },
    });
    let before = 0;
    for (const each of files) {
      current = each;
      const limit = thumbnailLimit(files.length);
      const prepared = await unlessAborted(signal, prepare(each, limit, signal));
      signal.throwIfAborted();
      if (!prepared) throw new Undecodable();
      const { blob, name, described } = prepared;
      let done = 0;
      const onWritten = (bytes: number) => {
        done += bytes;
        const share = (done / blob.size) * each.file.size;
        changeTray(conversationId, { sending: { done: before + share, total } });
      };
      const begun = await callBridge('files.begin', { conversationId, size: blob.size });
      const id = await writeFile(begun, blob, { signal, onWritten });
      const alt = each.alt.trim();
      written.push({ id, name, ...described, ...(alt !== '' && described.width && { alt }) });
      signal.throwIfAborted();
      before += each.file.size;
    }
    current = undefined;
    const { replyTo, written: words } = caption;
    isComplete = true;
    const message = await callBridge('messages.sendFiles', {
      ...{ conversationId, files: written, text: words.text, mentions: [...words.mentions] },
      ...(replyTo && { replyTo: replyTo.id }),
    });
    changeTray(conversationId, { sending: null });
    removeFiles(
      conversationId,
      files.map(({ key }) => key),
    );
    return message;
  } catch (error) {
    if (written.length > 0)
      void callBridge('files.drop', { ids: written.map(({ id }) => id) }).catch(() => undefined);
    if (signal.reason === 'forgotten') {
      // A lock returns no results of running calls: the message is sent or not.
      if (isComplete) changeTray(conversationId, { notice: t('files.lockedWhileSending') });
      return null;
    }
    changeTray(conversationId, { sending: null, returned: caption });
    if (signal.aborted) return null;
    if (current) changeFile(conversationId, current.key, { problem: sentenceFor(error) });
    else showFailure(error as Error, t('action.sendMessage'));
    return null;
  } finally {
    unsaved.delete(saveCaption);
  }
}

/** Thumbnails share the room of a message. */
function thumbnailLimit(count: number): number {
  return Math.min(MAX_THUMBNAIL, Math.floor(MAX_THUMBNAILS / count));
}

/** Null for a broken picture. */
async function prepare(each: TrayFile, most: number, signal: AbortSignal): Promise<Prepared | null> {
  const { file, picture, clean, asFile, recordedMs, type } = each;
  if (recordedMs !== null) {
    const sound = await describeSound(file);
    const described = sound ?? { durationMs: recordedMs };
    return { blob: file, name: file.name, described: { mediaType: file.type, voice: true, ...described } };
  }
  if (picture && !asFile) return preparePicture(file, picture, most);
  const media = type === 'video' || type === 'audio' ? await describeMedia(file, most, signal) : {};
  const blob = asFile ? file : (clean ?? file);
  return { blob, name: file.name, described: { mediaType: typeOf(file), ...media } };
}

/** A picture that is sent unchanged is not shown as one. */
function typeOf({ type }: File): string {
  return type === '' || type.startsWith('image/') || type.length > LONGEST_TYPE
    ? 'application/octet-stream'
    : type;
}

function sentenceFor(error: unknown): string {
  if (error instanceof Undecodable) return t('files.undecodable');
  if (error instanceof Unreadable) return t('files.unreadableNow');
  return error instanceof Error ? error.message : '';
}
