/** Preparation of files that a page writes: a key and a row first, then the pieces. */
import { Failure } from '../../base/failure.ts';
import { RelayUnreachable } from '../../messaging/relay.ts';
import { newFileKey } from '../../protocol/blob/keys.ts';
import { largestFile, MAX_FILE_BYTES } from '../../protocol/blob/layout.ts';
import { UNKNOWN_TYPE } from '../../protocol/blob/media-type.ts';
import { type FileParts, requireOnline } from '../parts.ts';

/** Limit of files that are prepared at once. */
const MAX_PREPARED = 50;

/** @throws Failure file_empty, file_too_long, too_many_files, disk_full */
export async function prepareFile(parts: FileParts, size: number): Promise<{ id: string; path: string }> {
  const { context, thread, addresses } = parts;
  const { files } = context;
  if (size === 0) throw new Failure('file_empty');
  const most = await mostBytes(parts);
  if (size > most) throw new Failure('file_too_long', { most });
  if (files.countPrepared() >= MAX_PREPARED) throw new Failure('too_many_files');
  const key = newFileKey();
  const id = files.prepare(key, size);
  try {
    await thread.call((functions) => functions.begin({ id, key, size }));
  } catch (error) {
    dropPrepared(parts, [id]);
    throw error;
  }
  return { id: String(id), path: addresses.of({ id, name: 'file', mediaType: UNKNOWN_TYPE }).path };
}

/** Removes prepared files. */
export function dropPrepared({ context: { files } }: FileParts, ids: readonly number[]): void {
  files.removePrepared(ids);
  files.reportRemoved();
}

/** Size of the largest file for the relay, in bytes; the largest for any relay if it is offline. */
async function mostBytes(parts: FileParts): Promise<number> {
  try {
    return largestFile((await requireOnline(parts).account.relay.limits()).blobBytes);
  } catch (error) {
    if (error instanceof RelayUnreachable) return MAX_FILE_BYTES;
    throw error;
  }
}
