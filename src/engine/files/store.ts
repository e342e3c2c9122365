/**
 * Sealed files on the disk, in a folder of the cache. A file is stored as the blob that is at the relay, under its own key,
 * which is in the encrypted cache only. Its name is its number there.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { renameDurably } from '../../base/node/durable-file.ts';
import { BlobError, openChunk } from '../../protocol/blob/chunks.ts';
import { blobKeys } from '../../protocol/blob/keys.ts';
import {
  blobLayout,
  CHUNK_BYTES,
  chunkAt,
  MAX_FILE_BYTES,
  SEALED_CHUNK_BYTES,
} from '../../protocol/blob/layout.ts';
import { MEDIA_TYPE_BYTES, mediaTypeOf } from '../../protocol/blob/media-type.ts';
import { BlobWriter } from '../../protocol/blob/stream.ts';
import { concatBytes } from '../../protocol/encoding.ts';
import type { SealedFile, SealedResult } from './functions.ts';

const PRIVATE = 0o600;
/** Bytes that stay free on the disk, for the messages. */
const RESERVE = 64 * 1024 * 1024;

/** Unit of the blocks of a file, in bytes. */
const BLOCK_UNIT = 512;

type Handle = Awaited<ReturnType<typeof open>>;

const sealedLength = (size: number) => blobLayout(Math.min(size, MAX_FILE_BYTES)).length;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export class FileStore {
  readonly #folder: string;
  readonly #findFree: (folder: string) => Promise<number>;
  /** Lengths of sealed files that are being written, by their ids. */
  readonly #taken = new Map<number, number>();
  /** End of the last look for room: two at once would both find the same. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param folder made with mode 0700
   * @param findFree bytes that are free on the disk of a folder
   */
  constructor(folder: string, findFree = freeBytes) {
    this.#folder = folder;
    this.#findFree = findFree;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Path of a sealed file. An unfinished one has `.partial` behind it. */
  path(id: number): string {
    return join(this.#folder, String(id));
  }

  /** @throws Failure disk_full if there is no room for a file of this size beside those that are being written */
  async requireRoom(size: number): Promise<void> {
    await this.#requireFree(sealedLength(size));
  }

  /**
   * Takes room for a file before its bytes are written. Call {@link releaseRoom} when it is written, or given up.
   * @throws Failure disk_full
   */
  takeRoom(id: number, size: number): Promise<void> {
    const length = sealedLength(size);
    const taken = this.#last.then(async () => {
      this.#taken.delete(id);
      await this.#requireFree(await this.#missing(id, length));
      this.#taken.set(id, length);
    });
    this.#last = taken.catch(() => undefined);
    return taken;
  }

  releaseRoom(id: number): void {
    this.#taken.delete(id);
  }

  async #requireFree(bytes: number): Promise<void> {
    const others = await Promise.all([...this.#taken].map(([id, length]) => this.#missing(id, length)));
    const expected = others.reduce((sum, each) => sum + each, 0);
    if ((await this.#findFree(this.#folder)) < expected + bytes + RESERVE) throw new Failure('disk_full');
  }

  /** Bytes of a file that are not on the disk yet. Its chunks are written in any order. */
  async #missing(id: number, length: number): Promise<number> {
    const written = await stat(`${this.path(id)}.partial`).catch(() => null);
    return Math.max(0, length - (written ? written.blocks * BLOCK_UNIT : 0));
  }

  /**
   * The bytes of a file from an offset on. Each chunk is verified.
   * @throws Failure file_missing, file_not_as_sent
   */
  async read(file: SealedFile, offset: number, length: number): Promise<Uint8Array> {
    return this.#readFrom(await this.#open(this.path(file.id)), file, offset, length);
  }

  /**
   * The same for a file whose download is not complete, or has just become so.
   * @throws Failure file_missing; file_not_as_sent also for a chunk that is not written
   */
  async readArriving(file: SealedFile, offset: number, length: number): Promise<Uint8Array> {
    const path = this.path(file.id);
    const handle = await this.#open(`${path}.partial`).catch(() => this.#open(path));
    return this.#readFrom(handle, file, offset, length);
  }

  async #open(path: string): Promise<Handle> {
    return open(path, 'r').catch(() => {
      throw new Failure('file_missing');
    });
  }

  async #readFrom(
    handle: Handle,
    { key, size }: SealedFile,
    offset: number,
    length: number,
  ): Promise<Uint8Array> {
    const keys = blobKeys(key);
    const layout = blobLayout(size);
    const end = Math.min(offset + length, size);
    const pieces: Uint8Array[] = [];
    try {
      for (let at = offset; at < end; ) {
        const index = Math.floor(at / CHUNK_BYTES);
        const { blob, file } = chunkAt(layout, index);
        const sealed = new Uint8Array(blob.length);
        const { bytesRead } = await handle.read(sealed, 0, blob.length, blob.offset);
        const plain = openChunk(keys, layout, index, sealed.subarray(0, bytesRead));
        const piece = plain.subarray(at - file.offset, end - file.offset);
        pieces.push(piece);
        at += piece.length;
      }
    } catch (error) {
      if (error instanceof BlobError) throw new Failure('file_not_as_sent');
      throw error;
    } finally {
      await handle.close();
    }
    return concatBytes(...pieces);
  }

  /** Length of a file as it is stored; null if it is not here. */
  async storedLength(id: number): Promise<number | null> {
    const found = await stat(this.path(id)).catch(() => null);
    return found?.size ?? null;
  }

  /** Bytes of a file as it is stored, all of these. @throws Failure file_missing */
  async readStored(id: number, offset: number, length: number): Promise<Uint8Array> {
    const handle = await this.#open(this.path(id));
    try {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      if (bytesRead < length) throw new Failure('file_missing');
      return bytes;
    } finally {
      await handle.close();
    }
  }

  /** Type of a file that is here, by its first bytes. */
  async mediaType(file: SealedFile): Promise<string> {
    return mediaTypeOf(await this.read(file, 0, MEDIA_TYPE_BYTES));
  }

  /** Erases files, and the unfinished ones of these numbers. */
  async remove(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      await rm(this.path(id), { force: true });
      await rm(`${this.path(id)}.partial`, { force: true });
    }
  }

  /** Erases the received part of a file. At once: the next download of it may begin after this call. */
  dropUnfinished(id: number): void {
    rmSync(`${this.path(id)}.partial`, { force: true });
  }

  async removeAllBut(ids: readonly number[]): Promise<void> {
    const known = new Set(ids.flatMap((id) => [String(id), `${id}.partial`]));
    // Read at once: a later call may begin a file that is not among them.
    for (const name of readdirSync(this.#folder)) {
      if (!known.has(name)) await rm(join(this.#folder, name), { force: true });
    }
  }
}

/** A file that is sealed while its bytes arrive. */
export class Sealing {
  readonly #writer: BlobWriter;
  readonly #size: number;
  readonly #handle: Handle;
  readonly #path: string;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  readonly #sealed = new Uint8Array(SEALED_CHUNK_BYTES);
  #filled = 0;
  #written = 0;
  #mediaType: string | null = null;
  /** End of the last call: each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(key: Uint8Array, size: number, path: string, handle: Handle) {
    this.#writer = new BlobWriter(key, size);
    this.#size = size;
    this.#path = path;
    this.#handle = handle;
  }

  /** @param path of the sealed file; its unfinished form must not exist */
  static async begin(key: Uint8Array, size: number, path: string): Promise<Sealing> {
    return new Sealing(key, size, path, await open(`${path}.partial`, 'wx', PRIVATE));
  }

  /** @throws Failure file_changed for bytes that are not the next ones, or more than the file has */
  write(offset: number, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(() => this.#write(offset, bytes));
  }

  async #write(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset !== this.#written || offset + bytes.length > this.#size) throw new Failure('file_changed');
    this.#written += bytes.length;
    for (let rest = bytes; rest.length > 0; ) {
      const piece = rest.subarray(0, CHUNK_BYTES - this.#filled);
      this.#chunk.set(piece, this.#filled);
      this.#filled += piece.length;
      rest = rest.subarray(piece.length);
      if (this.#filled === CHUNK_BYTES) await this.#seal();
    }
  }

  /** Ends the file, and makes it durable. @throws Failure file_unfinished if bytes are missing */
  finish(): Promise<SealedResult> {
    return this.#inOrder(() => this.#finish());
  }

  async #finish(): Promise<SealedResult> {
    if (this.#written < this.#size) throw new Failure('file_unfinished');
    const { chunks } = this.#writer.layout;
    if (this.#filled > 0) await this.#seal();
    // Chunks of padding.
    for (let index = Math.ceil(this.#size / CHUNK_BYTES); index < chunks; index++) await this.#seal();
    await this.#handle.sync();
    await this.#handle.close();
    await renameDurably(`${this.#path}.partial`, this.#path);
    return {
      digest: this.#writer.finish().digest,
      mediaType: this.#mediaType ?? mediaTypeOf(new Uint8Array()),
    };
  }

  /** Ends the work on the file. The caller removes it. */
  abort(): Promise<void> {
    return this.#inOrder(() => this.#handle.close().catch(() => undefined));
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #seal(): Promise<void> {
    const plain = this.#chunk.subarray(0, this.#filled);
    this.#mediaType ??= mediaTypeOf(plain);
    await this.#handle.writeFile(this.#writer.push(plain, this.#sealed));
    this.#filled = 0;
  }
}
