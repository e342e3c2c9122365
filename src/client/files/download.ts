/**
 * Downloads a file: as plain bytes, or as its sealed blob, which a later call can continue. Each chunk is opened on
 * arrival, and nothing is returned before the whole file is proven.
 */
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { renameDurably } from '../../base/node/durable-file.ts';
import { BlobError } from '../../protocol/blob/chunks.ts';
import { AttachedFile } from '../../protocol/blob/file.ts';
import { chunkAt } from '../../protocol/blob/layout.ts';
import { BlobReader } from '../../protocol/blob/stream.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import type { RelayApi } from '../api.ts';
import { Failure, RelayUnreachable } from '../errors.ts';
import { Patience, STALL, type TransferOptions } from './transfer.ts';

type Handle = Awaited<ReturnType<typeof open>>;

const PRIVATE = 0o600;
/** Windows cannot shorten a file that is open for appending. */
const CONTINUED = constants.O_RDWR | constants.O_CREAT;
/** A file with a wrong digest is downloaded a second time. */
const MAX_TRIES = 2;

/**
 * @param file as the message names it
 * @param target path of the file, mode 0600, replaced once the download is complete and proven. Choose the name: the
 * message's is an unproven claim
 * @throws Failure 'file_not_as_sent', 'file_too_slow'; RelayRefusal 'not_found' if the relay has deleted it;
 * RelayUnreachable
 */
export async function fetchFile(
  api: RelayApi,
  file: AttachedFile,
  target: string,
  options: TransferOptions = {},
): Promise<void> {
  const partial = `${target}.${encodeBase64Url(randomBytes(9))}.partial`;
  try {
    await tryTwice(() => fetchInto(api, file, partial, options));
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Downloads the sealed blob of a file. An aborted or failed download stays as `${target}.partial`, and the next call
 * verifies and continues it.
 * @param target path of the blob, mode 0600, replaced once the download is complete and proven
 * @throws as {@link fetchFile}
 */
export async function fetchBlob(
  api: RelayApi,
  file: AttachedFile,
  target: string,
  options: TransferOptions = {},
): Promise<void> {
  const partial = `${target}.partial`;
  await tryTwice(() => fetchInto(api, file, partial, { ...options, isSealed: true }));
  await renameDurably(partial, target);
}

async function tryTwice(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      if (tries === MAX_TRIES) throw new Failure('file_not_as_sent');
    }
  }
}

/** @throws BlobError if it is another file */
async function fetchInto(
  api: RelayApi,
  file: AttachedFile,
  path: string,
  { signal, onProgress, isSealed = false }: TransferOptions & { isSealed?: boolean },
): Promise<void> {
  const handle = await open(path, isSealed ? CONTINUED : 'w', PRIVATE);
  let isWrong = false;
  try {
    const fetching = new Fetching(file, handle, isSealed, onProgress);
    await fetching.readBegin();
    const patience = new Patience(fetching.length, signal);
    while (!fetching.isWhole) {
      const before = fetching.offset;
      try {
        await fetchFrom(api, fetching, patience, signal);
      } catch (error) {
        if (fetching.offset > before) patience.progress();
        await patience.after(error);
      }
    }
    fetching.finish();
    await handle.sync();
  } catch (error) {
    isWrong = error instanceof BlobError;
    throw error;
  } finally {
    await handle.close();
    // A retry starts from the beginning.
    if (isWrong) await rm(path, { force: true });
  }
}

/** One connection, from the end of the last one. */
function fetchFrom(
  api: RelayApi,
  fetching: Fetching,
  patience: Patience,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { id, offset, length } = fetching;
  const headers: Record<string, string> = offset > 0 ? { range: `bytes=${offset}-` } : {};
  return api.octets('getBlob', { params: { id }, headers, signal, stall: STALL }, async (response, alive) => {
    requireAnswer(response, offset, length);
    fetching.restart();
    for await (const piece of response.body ?? []) {
      alive();
      patience.requireTime();
      await fetching.take(piece);
    }
    if (!fetching.isWhole) throw new RelayUnreachable('relay_hung_up');
  });
}

/** @throws BlobError if the blob has another length, RelayUnreachable for another range than requested */
function requireAnswer({ status, headers }: Response, offset: number, length: number): void {
  const announced = headers.get('content-length');
  if (offset === 0) {
    if (status !== 200) throw new RelayUnreachable('relay_wrong_answer');
    if (announced !== null && Number(announced) !== length) throw new BlobError({ wrong: 'length' });
    return;
  }
  const range = `bytes ${offset}-${length - 1}/${length}`;
  if (status !== 206 || headers.get('content-range') !== range) {
    throw new RelayUnreachable('relay_wrong_answer');
  }
}

/** A download in progress. */
class Fetching {
  readonly #reader: BlobReader;
  readonly #handle: Handle;
  readonly #isSealed: boolean;
  readonly #onProgress: TransferOptions['onProgress'];
  /** Buffer of the current chunk. */
  readonly #buffer: Uint8Array;
  #filled = 0;
  #chunk = 0;
  /** Length of the written file. */
  #written = 0;

  /** @param isSealed true to write the chunks as they arrive, false to write the file */
  constructor(
    file: AttachedFile,
    handle: Handle,
    isSealed: boolean,
    onProgress: TransferOptions['onProgress'],
  ) {
    const { key, size, digest } = AttachedFile.parse(file);
    this.#reader = new BlobReader(decodeBase64Url(key), size, decodeBase64Url(digest));
    this.#handle = handle;
    this.#isSealed = isSealed;
    this.#onProgress = onProgress;
    this.#buffer = new Uint8Array(chunkAt(this.#reader.layout, 0).blob.length);
  }

  get id(): string {
    return this.#reader.keys.id;
  }

  /** Length of the blob, in bytes. */
  get length(): number {
    return this.#reader.layout.length;
  }

  get isWhole(): boolean {
    return this.#chunk === this.#reader.layout.chunks;
  }

  /** Start of the next chunk in the blob. */
  get offset(): number {
    return this.isWhole ? this.length : chunkAt(this.#reader.layout, this.#chunk).blob.offset;
  }

  /** Verifies the chunks that an earlier download has written, and removes a last one that is not whole. */
  async readBegin(): Promise<void> {
    if (!this.#isSealed) return;
    while (!this.isWhole) {
      const { offset, length } = chunkAt(this.#reader.layout, this.#chunk).blob;
      const { bytesRead } = await this.#handle.read(this.#buffer, 0, length, offset);
      if (bytesRead < length) break;
      this.#reader.push(this.#buffer.subarray(0, length));
      this.#chunk++;
    }
    await this.#handle.truncate(this.offset);
    this.#written = this.offset;
    this.#onProgress?.(this.offset, this.length);
  }

  /** Restarts at {@link offset} with the next piece. */
  restart(): void {
    this.#filled = 0;
  }

  /** @throws BlobError */
  async take(piece: Uint8Array): Promise<void> {
    for (let rest = piece; rest.length > 0; ) {
      if (this.isWhole) throw new BlobError({ wrong: 'length' });
      const { length } = chunkAt(this.#reader.layout, this.#chunk).blob;
      const taken = rest.subarray(0, length - this.#filled);
      this.#buffer.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled === length) await this.#open(length);
    }
  }

  async #open(length: number): Promise<void> {
    const sealed = this.#buffer.subarray(0, length);
    const plain = this.#reader.push(sealed);
    const written = this.#isSealed ? sealed : plain;
    for (let at = 0; at < written.length; ) {
      const { bytesWritten } = await this.#handle.write(written, at, written.length - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
    this.#filled = 0;
    this.#chunk++;
    this.#onProgress?.(this.offset, this.length);
  }

  /** @throws BlobError */
  finish(): void {
    this.#reader.finish();
  }
}
