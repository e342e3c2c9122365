/**
 * Blobs in a directory: `ab/cd/abcd…/` for each, with one file for each part. A part is written under a temporary
 * name, synced, and renamed when it is complete. So a crash leaves a whole part or none, and its temporary files
 * are deleted with the blob.
 */
import { randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PART_BYTES, type Range } from '../../protocol/blob/layout.ts';
import {
  type BlobBytes,
  BytesMissing,
  BytesUnavailable,
  type PartToPut,
  type StoredObject,
} from './bytes.ts';
import { sweepDirectory } from './sweep.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PARTIAL = '.partial';
/** The only upload. */
export const UPLOAD = 'directory';

/** Blobs below this folder, which is created, and must be writable. @throws BytesUnavailable */
export async function openDirectory(root: string): Promise<BlobBytes> {
  await stored(async () => {
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  });

  const folderOf = (object: string) => folderBelow(root, object);

  return {
    async begin(object) {
      await stored(async () => {
        await mkdir(folderOf(object), { recursive: true, mode: FOLDER_MODE });
        for (const folder of [
          folderOf(object),
          join(folderOf(object), '..'),
          join(folderOf(object), '..', '..'),
          root,
        ]) {
          await syncFolder(folder);
        }
      });
      return UPLOAD;
    },

    async putPart({ object, part, body, signal }: PartToPut) {
      const folder = folderOf(object);
      const tag = `${part}-${randomBytes(8).toString('hex')}`;
      const partial = join(folder, tag + PARTIAL);
      try {
        await writeSynced(partial, body, signal);
        await stored(async () => {
          await rename(partial, join(folder, tag));
          await syncFolder(folder);
        });
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined);
        throw error;
      }
      return tag;
    },

    async dropPart({ object, tag }) {
      await stored(() => rm(join(folderOf(object), tag), { force: true }));
    },

    async complete({ object, tags }) {
      const folder = folderOf(object);
      const counted = new Set(tags);
      await stored(async () => {
        for (const name of await readdir(folder))
          if (!counted.has(name)) await rm(join(folder, name), { force: true });
        await syncFolder(folder);
      });
    },

    async read(blob, range, signal) {
      const places = placesOf(blob, range);
      const folder = folderOf(blob.object);
      // Checked before the answer begins.
      for (const { tag } of places.slice(0, 1)) await requireFile(join(folder, tag));
      return Readable.from(readPlaces(folder, places, signal), { objectMode: false });
    },

    async drop(object) {
      await stored(() => rm(folderOf(object), { recursive: true, force: true }));
    },

    sweep: (options) => stored(() => sweepDirectory(root, options)),

    close() {},
  };
}

/** True if all bytes of a blob are below this folder, by their number. */
export async function isInDirectory(root: string, blob: StoredObject): Promise<boolean> {
  for (const { tag, end } of placesOf(blob, { offset: 0, length: blob.size })) {
    const found = await stat(join(folderBelow(root, blob.object), tag)).catch(() => null);
    if (found?.size !== end) return false;
  }
  return true;
}

function folderBelow(root: string, object: string): string {
  return join(root, object.slice(0, 2), object.slice(2, 4), object);
}

interface Place {
  tag: string;
  start: number;
  /** After the last byte. */
  end: number;
}

/** The bytes of each file that make up a range. */
function placesOf({ tags }: StoredObject, { offset, length }: Range): Place[] {
  return tags.flatMap((tag, index) => {
    const begin = index * PART_BYTES;
    const start = Math.max(0, offset - begin);
    const end = Math.min(PART_BYTES, offset + length - begin);
    return start < end ? [{ tag, start, end }] : [];
  });
}

async function* readPlaces(folder: string, places: Place[], signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const { tag, start, end } of places) {
    try {
      yield* createReadStream(join(folder, tag), { start, end: end - 1, signal });
    } catch (error) {
      throw readError(error);
    }
  }
}

async function requireFile(path: string): Promise<void> {
  try {
    await (await open(path, 'r')).close();
  } catch (error) {
    throw readError(error);
  }
}

function readError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT') return new BytesMissing();
  return code === null || code === 'ABORT_ERR' ? error : new BytesUnavailable(code);
}

/** Writes the body, and syncs it. Errors of the body are thrown unchanged. */
async function writeSynced(path: string, body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  const file = await stored(() => open(path, 'wx', FILE_MODE));
  try {
    for await (const chunk of body) {
      signal.throwIfAborted();
      await stored(() => writeAll(file, chunk));
    }
    await stored(() => file.sync());
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** @throws BytesUnavailable for a refusal by the system */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw code === null ? error : new BytesUnavailable(code);
  }
}

/** The system's code of an error; null if it is not a system error. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
