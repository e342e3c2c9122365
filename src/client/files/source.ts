/** Sources of files to send: a path, bytes in memory, or a stream, which is first stored on the disk. */
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MAX_FILE_BYTES } from '../../protocol/blob/layout.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { Failure } from '../errors.ts';

type Handle = Awaited<ReturnType<typeof open>>;

const PRIVATE = 0o600;

/** The sender's description of a file. */
export interface FileAbout {
  /** Its own name by default. */
  name?: string;
  /** By default by its first bytes or the end of its name, or else `application/octet-stream`. */
  mediaType?: string;
  /** A description of a picture for people who cannot see it: at most 500 bytes of UTF-8. */
  alt?: string;
}

/** A file to send: its path, bytes or a stream of bytes. */
export type FileToSend =
  | string
  | (FileAbout & { path: string })
  | (FileAbout & { name: string; bytes: Uint8Array })
  | (FileAbout & { name: string; stream: AsyncIterable<Uint8Array> });

/** A file with a description beside it. */
export function describedBy(file: FileToSend, { name, mediaType, alt }: FileAbout): FileToSend {
  return {
    ...(typeof file === 'string' ? { path: file } : file),
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(alt !== undefined && { alt }),
  };
}

/** Bytes of known length, for reading more than once. */
export interface Source {
  readonly size: number;
  /** Its own name; empty without one. */
  readonly name: string;
  /** Bytes at a position; fewer than `length` only at the end. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file to send.
 * @param most length of a stream in bytes
 * @throws Failure 'file_unreadable', 'file_too_long'
 */
export function openSource(file: FileToSend, most: number): Promise<Source> {
  if (typeof file === 'string') return sourceAt(file, most);
  if ('path' in file) return sourceAt(file.path, most);
  return 'bytes' in file ? Promise.resolve(sourceOfBytes(file.bytes)) : storeStream(file.stream, most);
}

/**
 * The file at a path, opened. A special file, such as a named pipe, is read to its end.
 * @throws as {@link openSource}
 */
export async function sourceAt(path: string, most = MAX_FILE_BYTES): Promise<Source> {
  const handle = await readable(path, () => open(path, 'r'));
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new Failure('file_unreadable', { path, reason: 'EISDIR' });
    if (stat.isFile()) return sourceOf(handle, stat.size, basename(path), path);
    const stored = await storeStream(handle.createReadStream({ autoClose: false }), most);
    await handle.close();
    return { ...stored, name: basename(path) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @throws Failure 'file_unreadable' for an error of the system */
async function readable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new Failure('file_unreadable', { path, reason: error.code });
  }
}

function sourceOf(handle: Handle, size: number, name: string, path: string): Source {
  return {
    size,
    name,
    read: (position, length) => readable(path, () => readFully(handle, position, length)),
    close: () => handle.close(),
  };
}

async function readFully(handle: Handle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, position + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

function sourceOfBytes(bytes: Uint8Array): Source {
  return {
    size: bytes.length,
    name: '',
    read: async (position, length) => bytes.subarray(position, position + length),
    close: async () => undefined,
  };
}

/** Stores a stream in a file without a name, which is gone with this process. */
async function storeStream(stream: AsyncIterable<Uint8Array>, most: number): Promise<Source> {
  const path = join(tmpdir(), `waxwing-${encodeBase64Url(randomBytes(16))}`);
  const handle = await open(path, 'wx+', PRIVATE);
  try {
    await rm(path);
    let size = 0;
    for await (const piece of stream) {
      size += piece.length;
      if (size > most) throw new Failure('file_too_long', { most });
      await handle.appendFile(piece);
    }
    return sourceOf(handle, size, '', path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
