/** Adding chosen, dropped or pasted files to a tray. */
import { MAX_FILES } from '../../../../bridge/file-bounds.ts';
import { callBridge } from '../../../bridge.ts';
import { announce } from '../../../shared/announcements.tsx';
import { t } from '../../../words.tsx';
import { cleanMedia } from './clean-media.ts';
import { cleanFile, isRedrawn, previewOf, readHead } from './prepare-picture.ts';
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
  const most = await largestAllowed();
  for (const file of files) {
    const problem = await problemOf(file, most);
    if (problem !== null) notices.push(problem);
    else added.push(trayFile(file, { most }));
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

/** Limit of a file, in bytes. A file above an unknown limit is refused when it is sent. */
async function largestAllowed(): Promise<number> {
  return callBridge('files.limit', {}).then(
    ({ bytes }) => bytes,
    () => Number.POSITIVE_INFINITY,
  );
}

/** A sentence about a file that cannot be added; null for others. @param most limit of a file, in bytes */
async function problemOf(file: File, most: number): Promise<string | null> {
  const { name, size } = file;
  if (size === 0) return t('files.empty', { name });
  if (!(await isReadable(file))) return t('files.unreadable', { name });
  if (size <= most) return null;
  // A redrawn picture is usually smaller.
  const head = await readHead(file).catch(() => null);
  return head && isRedrawn(head) ? null : t('files.tooLarge', { name, most });
}

/** A sentence about a file that is too large to be sent unchanged; null for others. */
export function sizeProblem({ file: { name, size }, most }: TrayFile): string | null {
  return size > most ? t('files.tooLarge', { name, most }) : null;
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
    changeFile(conversationId, key, { isRecognized, clean: clean ?? null, hasMetadata });
    const added = trayOf(conversationId).files.find((each) => each.key === key);
    return changeFile(conversationId, key, { problem: added ? sizeProblem(added) : null });
  }
  const address = URL.createObjectURL(preview);
  changeFile(conversationId, key, { isRecognized, picture, type: 'image', preview: address });
}

/** @param about length of a voice message in milliseconds, and the limit of a file in bytes */
export function trayFile(file: File, about: Partial<Pick<TrayFile, 'recordedMs' | 'most'>> = {}): TrayFile {
  const { recordedMs = null, most = Number.POSITIVE_INFINITY } = about;
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
    most,
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
