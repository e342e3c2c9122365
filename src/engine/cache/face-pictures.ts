/** Pictures of people and groups: stored as files, downloaded without a request within limits. */
import type { FailureData } from '../../base/failure.ts';
import { MAX_PICTURE_BYTES } from '../../messaging/contents/kinds/profile.ts';
import { replaces } from '../../messaging/contents/versions.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { BLOB_LIFE } from '../../protocol/blob/layout.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { Face, Faces, NewFace } from './faces.ts';
import type { FileTasks } from './file-tasks.ts';
import type { Files } from './files.ts';
import type { UnwantedBlobs } from './unwanted-blobs.ts';

/** Least time between two downloads for one person or group, in milliseconds. */
const DOWNLOAD_EVERY = 10 * 60_000;
/** Limit of all pictures together, in bytes. Beyond it, none is downloaded. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Limit of those of people whose chat is not accepted: they leave room for others. */
const MAX_BYTES_OF_OTHERS = 64 * 1024 * 1024;

interface Parts {
  readonly faces: Faces;
  readonly files: Files;
  readonly fileTasks: FileTasks;
  readonly unwantedBlobs: UnwantedBlobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reports whether two references are of the same picture. */
export function isSamePicture(a: AttachedFile | null, b: AttachedFile | null): boolean {
  return a?.key === b?.key && a?.digest === b?.digest && a?.size === b?.size;
}

/** The fields of a picture that a face has. A sender may add others, of any length. */
function pictureOf({ key, digest, size, mediaType, name, width, height }: AttachedFile): AttachedFile {
  return {
    ...{ key, digest, size, mediaType, name },
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

/**
 * Stores a face if its version is the greatest so far, and plans the download of its picture. In the caller's
 * transaction, which erases traces afterwards if a picture was replaced.
 * @param downloads whether its picture is downloaded without a request
 */
export function storeFace(
  parts: Parts,
  owner: string,
  face: Omit<NewFace, 'fileId'>,
  downloads = true,
): boolean {
  const { faces, files } = parts;
  const before = faces.get(owner);
  // An older value leaves no row of its file.
  if (!replaces(face, before)) return false;
  const picture = face.picture && pictureOf(face.picture);
  const fileId = picture && files.ensure(picture);
  faces.put(owner, { ...face, picture, fileId });
  if (!before) faces.bound();
  if (fileId === null) return true;
  files.setUsed(fileId);
  if (downloads) planPicture(parts, owner);
  return true;
}

/** Plans the download of the picture of a person or group, in the caller's transaction. */
export function planPicture({ faces, files, fileTasks, now }: Parts, owner: string): void {
  const face = faces.get(owner);
  const fileId = face?.fileId ?? null;
  const file = fileId === null ? null : files.get(fileId);
  if (!face || fileId === null || !file || file.isHere || file.task || file.size > MAX_PICTURE_BYTES) return;
  if (faces.bytes() > MAX_BYTES) return;
  if (faces.isOfOther(owner) && faces.bytesOfOthers() > MAX_BYTES_OF_OTHERS) return;
  const at = Math.max(now(), face.requestedAt + DOWNLOAD_EVERY);
  // A clock that was ahead does not delay it further.
  fileTasks.planDownload(fileId, null, Math.min(at, now() + DOWNLOAD_EVERY));
  faces.setRequestedAt(owner, Math.min(at, now() + DOWNLOAD_EVERY));
}

/** Records a downloaded file. The picture that it replaces is erased. Not within a transaction. */
export function setDownloaded(
  { faces, files, eraseTraces }: Pick<Parts, 'faces' | 'files'> & { eraseTraces: () => void },
  id: number,
  mediaType: string,
): void {
  const isAwaited = faces.isAwaited(id);
  files.setDownloaded(id, mediaType);
  if (isAwaited) eraseTraces();
}

/**
 * Records the end of a task without a file. A picture that it should replace is erased: its person has another one. The next
 * reference is downloaded again. Not within a transaction.
 * @param problem null if it ended at the request of the person
 */
export function setFailed(
  { faces, files, eraseTraces }: Pick<Parts, 'faces' | 'files'> & { eraseTraces: () => void },
  id: number,
  problem: FailureData | null,
): void {
  const isAwaited = faces.isAwaited(id);
  files.setFailed(id, problem);
  if (isAwaited && problem) eraseTraces();
}

/** Plans the deletion of a replaced own picture at the relay. */
export function giveUpPicture(
  { unwantedBlobs, now }: Pick<Parts, 'unwantedBlobs' | 'now'>,
  before: Face | null,
): void {
  if (before?.picture) unwantedBlobs.giveUpBlob(decodeBase64Url(before.picture.key), now() + BLOB_LIFE);
}
