/** Pictures of people and groups: stored as files, downloaded without a request within limits. */
import { MOST_PICTURE_BYTES } from '../../messaging/contents/kinds/profile.ts';
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
const MOST_BYTES = 256 * 1024 * 1024;

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

/**
 * Stores a face if its version is the greatest so far, and plans the download of its picture. In the caller's
 * transaction, which erases traces afterwards if a picture was replaced.
 */
export function storeFace(parts: Parts, owner: string, face: Omit<NewFace, 'fileId'>): boolean {
  const { faces, files } = parts;
  const before = faces.get(owner);
  // An older value leaves no row of its file.
  if (!replaces(face, before)) return false;
  const { picture } = face;
  const fileId = picture && files.ensure(picture);
  faces.put(owner, { ...face, fileId });
  if (fileId === null) return true;
  files.setUsed(fileId);
  planDownload(parts, owner, fileId, before);
  return true;
}

function planDownload(
  { faces, files, fileTasks, now }: Parts,
  owner: string,
  fileId: number,
  before: Face | null,
) {
  const file = files.get(fileId);
  if (!file || file.isHere || file.task || file.size > MOST_PICTURE_BYTES) return;
  if (faces.bytes() > MOST_BYTES) return;
  const at = Math.max(now(), (before?.askedAt ?? 0) + DOWNLOAD_EVERY);
  // A clock that was ahead does not delay it further.
  fileTasks.planDownload(fileId, null, Math.min(at, now() + DOWNLOAD_EVERY));
  faces.setAsked(owner, Math.min(at, now() + DOWNLOAD_EVERY));
}

/** Plans the deletion of a replaced own picture at the relay. */
export function giveUpPicture(
  { unwantedBlobs, now }: Pick<Parts, 'unwantedBlobs' | 'now'>,
  before: Face | null,
): void {
  if (before?.picture) unwantedBlobs.giveUpBlob(decodeBase64Url(before.picture.key), now() + BLOB_LIFE);
}
