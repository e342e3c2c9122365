/** Adding chosen, dropped or pasted files to a tray. */
import { MAX_FILES } from '../../../../bridge/file-bounds.ts';
import { announce } from '../../../shared/announcements.tsx';
import { t } from '../../../words.tsx';
import { cleanMedia } from './clean-media.ts';
import { cleanFile, previewOf, readHead } from './prepare-picture.ts';
import { changeFile, changeTray, type TrayFile, trayOf } from './tray.ts';

/** Given by a picker, a drop or the clipboard. */
export interface Given {
  files: readonly File[];
  hasFolder: boolean;
}

/** The content of a drop or of the clipboard. Folders have no bytes. */
export function givenIn(data: DataTransfer): Given {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const folders = items.map((item) => item.webkitGetAsEntry()?.isDirectory === true);
  const files = items.flatMap((item, index) => (folders[index] ? [] : (item.getAsFile() ?? [])));
  return { files, hasFolder: folders.includes(true) };
}

/** Adds files in their order; a sentence in the tray names those that cannot be sent. */
export async function addFiles(conversationId: string, { files, hasFolder }: Given): Promise<void> {
  const notices = hasFolder ? [t('files.folder')] : [];
  const added: TrayFile[] = [];
  for (const file of files) {
    const problem = file.size === 0 ? 'files.empty' : (await isReadable(file)) ? null : 'files.unreadable';
    if (problem) notices.push(t(problem, { name: file.name }));
    else added.push(trayFile(file));
  }
  // Other files may have been added meanwhile.
  const before = trayOf(conversationId).files;
  const accepted = added.slice(0, Math.max(0, MAX_FILES - before.length));
  const left = added.length - accepted.length;
  if (left > 0) notices.push(t('files.most', { count: MAX_FILES, left }));
  changeTray(conversationId, {
    files: [...before, ...accepted],
    notice: notices.join(' '),
  });
  const [first] = accepted;
  if (first) announce(t('files.added', { count: accepted.length, name: first.file.name }));
  // One after the other: a decoded picture needs a lot of memory.
  for (const { key, file } of accepted)
    recognition = recognition.then(() => recognize(conversationId, key, file));
}

/** Types of files with a place and a camera in them, and names of those that some browsers do not know. */
const CAMERA_TYPE = /^(?:image|video)\//;
const CAMERA_NAME =
  /\.(?:hei[cf]|hif|avif|jxl|tiff?|dng|cr[23w]|nef|arw|raf|orf|rw2|pef|srw|mov|qt|mp4|m4[av]|3g[p2]|mkv|webm)$/i;

let recognition: Promise<void> = Promise.resolve();

/** Ends when all added files are recognized. */
export const recognized = (): Promise<void> => recognition;

/** Recognizes a picture, and makes its preview. */
async function recognize(conversationId: string, key: string, file: File): Promise<void> {
  const isThere = () => trayOf(conversationId).files.some((each) => each.key === key);
  if (!isThere()) return;
  const picture = await readHead(file).catch(() => null);
  const preview = picture && (await previewOf(file, picture).catch(() => null));
  const cleaning = picture ? (preview ? null : cleanFile(file, picture)) : cleanMedia(file);
  const clean = await cleaning?.catch(() => null);
  // The person may have removed the file meanwhile.
  if (!isThere()) return;
  const isRecognized = true;
  if (!picture || !preview) {
    const hasMetadata = picture !== null || CAMERA_TYPE.test(file.type) || CAMERA_NAME.test(file.name);
    return changeFile(conversationId, key, { isRecognized, clean: clean ?? null, hasMetadata });
  }
  const address = URL.createObjectURL(preview);
  changeFile(conversationId, key, { isRecognized, picture, type: 'image', preview: address });
}

/** @param recordedMs length of a voice message in milliseconds */
export function trayFile(file: File, recordedMs: number | null = null): TrayFile {
  const [kind] = file.type.split('/');
  return {
    key: crypto.randomUUID(),
    file,
    recordedMs,
    type: recordedMs !== null ? 'voice' : kind === 'video' || kind === 'audio' ? kind : 'other',
    isRecognized: false,
    picture: null,
    clean: null,
    hasMetadata: false,
    preview: null,
    alt: '',
    asFile: false,
    problem: null,
  };
}

async function isReadable(file: File): Promise<boolean> {
  const [first] = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      (bytes) => new Uint8Array(bytes),
      () => [],
    );
  return first !== undefined;
}
