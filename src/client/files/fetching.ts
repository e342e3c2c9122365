/** A download in progress: the chunks that are written, in any order, and the digest of all in theirs. */
import type { FileHandle } from 'node:fs/promises';
import { writeAll } from '../../base/node/write-all.ts';
import { BlobError, openChunk } from '../../protocol/blob/chunks.ts';
import { BlobDigest } from '../../protocol/blob/digest.ts';
import { AttachedFile } from '../../protocol/blob/file.ts';
import { type BlobKeys, blobKeys } from '../../protocol/blob/keys.ts';
import { type BlobLayout, blobLayout, chunkAt } from '../../protocol/blob/layout.ts';
import { decodeBase64Url, equalBytes } from '../../protocol/encoding.ts';
import type { TransferOptions } from './transfer.ts';

/** Chunks after the current one that a reader waits for without another request: 1 MiB. */
const NEAR_CHUNKS = 16;
/** The least number of chunks in one request that a reader ends: 512 KiB. Two readers could request each chunk alone. */
const LEAST_RUN_CHUNKS = 8;

/** Readers of the opened chunks of a blob while it is downloaded. Chunks are named by their index. */
export interface ChunkReaders {
  /** Called before the first chunk of an attempt, and when all are discarded: none is there. */
  restart(): void;
  /** Called when a chunk has been opened and written. */
  add(chunk: number): void;
  /** The chunk that a reader waits for; null for none. */
  wanted(): number | null;
  /** Calls a function when another reader waits, until it is disposed. */
  onWait(listener: () => void): Disposable;
}

/** Missing bytes of a blob, from inclusive to exclusive. */
export interface Run {
  from: number;
  to: number;
}

interface FetchingOptions {
  onProgress?: TransferOptions['onProgress'];
  readers?: ChunkReaders | undefined;
}

export class Fetching {
  readonly #keys: BlobKeys;
  readonly #layout: BlobLayout;
  readonly #expected: Uint8Array;
  readonly #digest = new BlobDigest();
  readonly #handle: FileHandle;
  readonly #isSealed: boolean;
  readonly #options: FetchingOptions;
  /** Buffer of the current chunk. */
  readonly #buffer: Uint8Array;
  #filled = 0;
  /** 1 for each written chunk. */
  readonly #written: Uint8Array;
  #writtenChunks = 0;
  #received = 0;
  /** Number of chunks in the digest. */
  #digested = 0;
  /** The current run of chunks: its begin, the next one, and its end. */
  #run = { begin: 0, next: 0, end: 0 };

  /** @param isSealed true to write the chunks as they arrive, false to write the file */
  constructor(file: AttachedFile, handle: FileHandle, isSealed: boolean, options: FetchingOptions) {
    const { key, size, digest } = AttachedFile.parse(file);
    this.#keys = blobKeys(decodeBase64Url(key));
    this.#layout = blobLayout(size);
    this.#expected = decodeBase64Url(digest);
    this.#handle = handle;
    this.#isSealed = isSealed;
    this.#options = options;
    this.#written = new Uint8Array(this.#layout.chunks);
    this.#buffer = new Uint8Array(this.#placeOf(0).length);
  }

  get id(): string {
    return this.#keys.id;
  }

  /** Length of the blob, in bytes. */
  get length(): number {
    return this.#layout.length;
  }

  /** Number of bytes of the blob that are written. */
  get received(): number {
    return this.#received;
  }

  get isWhole(): boolean {
    return this.#writtenChunks === this.#layout.chunks;
  }

  get isRunDone(): boolean {
    return this.#run.next === this.#run.end;
  }

  /** True if a reader waits for a chunk that this run does not reach soon. */
  get isWantedElsewhere(): boolean {
    const { begin, next, end } = this.#run;
    const wanted = this.#wanted();
    if (wanted === null || next - begin < LEAST_RUN_CHUNKS) return false;
    return wanted < next || wanted >= Math.min(end, next + NEAR_CHUNKS);
  }

  /** Begins the run of missing chunks that is fetched next: at the one that a reader waits for, else at the first. */
  nextRun(): Run {
    const begin = this.#wanted() ?? this.#written.indexOf(0);
    const next = this.#written.indexOf(1, begin);
    const end = next === -1 ? this.#layout.chunks : next;
    this.#run = { begin, next: begin, end };
    const last = this.#placeOf(end - 1);
    return { from: this.#placeOf(begin).offset, to: last.offset + last.length };
  }

  /** Verifies the chunks that an earlier download has written. Others are fetched again. @throws the reason of an abort */
  async readBegin(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isSealed) return;
    let end = 0;
    for (let chunk = 0; chunk < this.#layout.chunks; chunk++) {
      signal?.throwIfAborted();
      const sealed = await this.#read(chunk);
      if (!sealed) break;
      if (!this.#opens(chunk, sealed)) continue;
      this.#setWritten(chunk, sealed);
      end = this.#placeOf(chunk).offset + sealed.length;
    }
    await this.#handle.truncate(end);
    this.#options.onProgress?.(this.#received, this.length);
  }

  /** Restarts at the begin of the current chunk with the next piece. */
  restart(): void {
    this.#filled = 0;
  }

  /** @throws BlobError */
  async add(piece: Uint8Array): Promise<void> {
    for (let rest = piece; rest.length > 0; ) {
      if (this.isRunDone) throw new BlobError({ wrong: 'length' });
      const { length } = this.#placeOf(this.#run.next);
      const part = rest.subarray(0, length - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      rest = rest.subarray(part.length);
      if (this.#filled === length) await this.#open(length);
    }
  }

  /** Adds chunks to the digest that were written before those in front of them. @throws BlobError, the reason of an abort */
  async digestWritten(signal: AbortSignal | undefined): Promise<void> {
    while (this.#digested < this.#layout.chunks && this.#written[this.#digested] === 1) {
      signal?.throwIfAborted();
      const sealed = await this.#read(this.#digested);
      if (!sealed) throw new BlobError({ wrong: 'length' });
      this.#digest.update(sealed);
      this.#digested++;
    }
  }

  /** @throws BlobError if a chunk is missing, or the digest differs from the announced one */
  finish(): void {
    if (this.#digested < this.#layout.chunks) throw new BlobError({ wrong: 'length' });
    if (!equalBytes(this.#digest.finish().digest, this.#expected)) throw new BlobError({ wrong: 'digest' });
  }

  async #open(length: number): Promise<void> {
    const chunk = this.#run.next;
    const sealed = this.#buffer.subarray(0, length);
    const plain = openChunk(this.#keys, this.#layout, chunk, sealed);
    const { file, blob } = chunkAt(this.#layout, chunk);
    if (this.#isSealed) await writeAll(this.#handle, sealed, blob.offset);
    else await writeAll(this.#handle, plain, file.offset);
    this.#filled = 0;
    this.#run.next++;
    this.#setWritten(chunk, sealed);
    this.#options.onProgress?.(this.#received, this.length);
  }

  #setWritten(chunk: number, sealed: Uint8Array): void {
    this.#written[chunk] = 1;
    this.#writtenChunks++;
    this.#received += sealed.length;
    if (chunk === this.#digested) {
      this.#digest.update(sealed);
      this.#digested++;
    }
    this.#options.readers?.add(chunk);
  }

  /** A chunk of the written blob; null if the blob ends before. Valid until the next call. */
  async #read(chunk: number): Promise<Uint8Array | null> {
    const { offset, length } = this.#placeOf(chunk);
    const { bytesRead } = await this.#handle.read(this.#buffer, 0, length, offset);
    return bytesRead < length ? null : this.#buffer.subarray(0, length);
  }

  #opens(chunk: number, sealed: Uint8Array): boolean {
    try {
      openChunk(this.#keys, this.#layout, chunk, sealed);
      return true;
    } catch (error) {
      if (error instanceof BlobError) return false;
      throw error;
    }
  }

  #wanted(): number | null {
    const wanted = this.#options.readers?.wanted() ?? null;
    return wanted !== null && wanted < this.#layout.chunks && this.#written[wanted] === 0 ? wanted : null;
  }

  #placeOf(chunk: number): { offset: number; length: number } {
    return chunkAt(this.#layout, chunk).blob;
  }
}
