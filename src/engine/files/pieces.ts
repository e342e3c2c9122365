/** A file that arrives in pieces of its sealed form, inside of other files. */
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { renameDurably } from '../../base/node/durable-file.ts';
import { writeAll } from '../../base/node/write-all.ts';
import { BlobError } from '../../protocol/blob/chunks.ts';
import { blobLayout, chunkAt } from '../../protocol/blob/layout.ts';
import { BlobReader } from '../../protocol/blob/stream.ts';
import { MAX_READ_BYTES, type PlacedPiece, type SealedFile } from './functions.ts';
import type { FileStore } from './store.ts';

type Handle = Awaited<ReturnType<typeof open>>;

const PRIVATE = 0o600;

/**
 * Writes a piece. One without those before it is passed over.
 * @param from the file that contains it
 * @returns the type of the file by its first bytes, if this piece has completed it; else null
 * @throws Failure disk_full
 */
export async function placePiece(
  store: FileStore,
  from: SealedFile,
  file: SealedFile,
  { at, offset, bytes }: PlacedPiece,
): Promise<string | null> {
  const { length } = blobLayout(file.size);
  if (offset + bytes > length) return null;
  if (offset === 0) await store.requireRoom(file.size);
  const partial = `${store.path(file.id)}.partial`;
  const handle = await open(partial, constants.O_RDWR | constants.O_CREAT, PRIVATE);
  try {
    const { size } = await handle.stat();
    if (size < offset) return null;
    await handle.truncate(offset);
    for (let done = 0; done < bytes; done += MAX_READ_BYTES) {
      const piece = await store.read(from, at + done, Math.min(MAX_READ_BYTES, bytes - done));
      await writeAll(handle, piece, offset + done);
    }
    if (offset + bytes < length) return null;
    if (!(await isAsSent(handle, file))) {
      await rm(partial, { force: true });
      return null;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(partial, store.path(file.id));
  return store.mediaType(file);
}

/** Opens each chunk, and compares the digest. */
async function isAsSent(handle: Handle, { key, size, digest }: SealedFile): Promise<boolean> {
  const reader = new BlobReader(key, size, digest);
  const buffer = new Uint8Array(chunkAt(reader.layout, 0).blob.length);
  try {
    for (let index = 0; index < reader.layout.chunks; index++) {
      const { offset, length } = chunkAt(reader.layout, index).blob;
      const { bytesRead } = await handle.read(buffer, 0, length, offset);
      reader.push(buffer.subarray(0, bytesRead));
    }
    reader.finish();
    return true;
  } catch (error) {
    if (error instanceof BlobError) return false;
    throw error;
  }
}
