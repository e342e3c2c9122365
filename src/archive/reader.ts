/** Reads a backup. Everything is verified before it is believed. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../base/failure.ts';
import { decodeBase64Url, decodeUtf8 } from '../protocol/encoding.ts';
import { BlockMemories, BlockMemory } from './block-memory.ts';
import { blockPath } from './folder-names.ts';
import {
  BackupHeader,
  BLOCK_HEAD,
  type BlockEntry,
  blocksOf,
  END,
  MAGIC,
  MAX_HEADER_BYTES,
  MAX_MANIFEST_BYTES,
  Manifest,
  sealedBytes,
  TRAILER_BYTES,
} from './form.ts';
import { type ContentKeys, contentKeys } from './keys.ts';
import { isBlock, openBlock, openManifest } from './seal.ts';

type Handle = Awaited<ReturnType<typeof open>>;

const HASH_BYTES = 32;
/** Blocks that are read at a time. A silent drive occupies a thread for each, and the process has four. */
const READ_AHEAD = 2;
/** `waxwing backup `, before the version. */
const ANY_VERSION = MAGIC.subarray(0, -2);

export class BackupFile {
  readonly path: string;
  readonly #handle: Handle;
  /** Length of the file. */
  readonly size: number;
  readonly header: BackupHeader;
  readonly #headerBytes: Buffer;
  #opened: { keys: ContentKeys; blocks: BlockEntry[]; digest: string } | null = null;

  private constructor(path: string, handle: Handle, size: number, header: BackupHeader, headerBytes: Buffer) {
    this.path = path;
    this.#handle = handle;
    this.size = size;
    this.header = header;
    this.#headerBytes = headerBytes;
  }

  /** @throws Failure backup_unknown, backup_newer, backup_damaged, backup_unreadable */
  static async open(path: string): Promise<BackupFile> {
    const handle = await openToRead(path).catch(() => {
      throw new Failure('backup_unreadable');
    });
    try {
      const size = await sizeOf(handle);
      if (size === null) throw new Failure('backup_unknown');
      const start = await readAt(handle, 0, Math.min(size, MAGIC.length + 4));
      if (!start.subarray(0, ANY_VERSION.length).equals(ANY_VERSION)) throw new Failure('backup_unknown');
      if (start.length < MAGIC.length + 4) throw new Failure('backup_damaged');
      const length = start.readUInt32BE(MAGIC.length);
      if (length > MAX_HEADER_BYTES) throw new Failure('backup_damaged');
      const bytes = await readAt(handle, 0, start.length + length + HASH_BYTES);
      const text = bytes.subarray(start.length, start.length + length);
      const hash = createHash('sha256').update(bytes.subarray(0, -HASH_BYTES)).digest();
      if (!bytes.subarray(-HASH_BYTES).equals(hash)) throw new Failure('backup_damaged');
      if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw new Failure('backup_newer');
      return new BackupFile(path, handle, size, parsed(BackupHeader, text), bytes);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens the manifest. @throws Failure backup_damaged, backup_unreadable */
  async unlock(key: Uint8Array): Promise<Manifest> {
    const keys = contentKeys(key);
    const first = this.#headerBytes.length;
    if (this.size < first + TRAILER_BYTES) throw new Failure('backup_damaged');
    const trailer = await readAt(this.#handle, this.size - TRAILER_BYTES, TRAILER_BYTES);
    const [offset, length] = [Number(trailer.readBigUInt64BE(0)), trailer.readUInt32BE(8)];
    const isWhole = trailer.subarray(12).equals(END) && offset + length + TRAILER_BYTES === this.size;
    if (!isWhole || offset < first || length > MAX_MANIFEST_BYTES) throw new Failure('backup_damaged');
    const sealed = await readAt(this.#handle, offset, length);
    const text = openManifest(keys, sealed, this.#headerBytes);
    if (!text) throw new Failure('backup_damaged');
    const manifest = parsed(Manifest, text);
    const isFolder = manifest.blocks === 'folder';
    if (!areComplete(manifest, isFolder ? null : { first, end: offset })) throw new Failure('backup_damaged');
    if (manifest.id !== this.header.id) throw new Failure('backup_damaged');
    const digest = createHash('sha256').update(this.#headerBytes).update(sealed).update(trailer);
    this.#opened = { keys, blocks: blocksOf(manifest), digest: digest.digest('base64url') };
    return manifest;
  }

  /** SHA-256 of all but the blocks: no other backup has it, not even one of the same folder. */
  get digest(): string {
    return this.#unlocked.digest;
  }

  /**
   * Reads and verifies all blocks.
   * @param onVerified called with the number of verified bytes; it may throw to stop
   * @throws Failure backup_damaged, backup_unreadable
   */
  async verify(onVerified: (bytes: number) => void): Promise<void> {
    const { keys, blocks } = this.#unlocked;
    let bytes = 0;
    for await (const { block, sealed } of this.#inOrder(blocks.toSorted(byPlace))) {
      if (!isBlock(keys, decodeBase64Url(block.name), sealed)) throw new Failure('backup_damaged');
      bytes += sealedBytes(block);
      onVerified(bytes);
    }
  }

  /**
   * Contents of several blocks. Each is valid until the next one is requested.
   * @param first number of the first one in the manifest
   * @throws Failure backup_damaged, backup_unreadable
   */
  async *readAll(first: number, count: number): AsyncGenerator<Buffer> {
    const { keys, blocks } = this.#unlocked;
    const memory = new BlockMemory();
    for await (const { block, sealed } of this.#inOrder(blocks.slice(first, first + count))) {
      const contents = openBlock(keys, decodeBase64Url(block.name), sealed, memory.of(block.bytes));
      if (!contents) throw new Failure('backup_damaged');
      yield contents;
    }
  }

  /** Blocks as they are on the disk. The next ones are read while the caller works on one. */
  async *#inOrder(blocks: readonly BlockEntry[]): AsyncGenerator<{ block: BlockEntry; sealed: Buffer }> {
    const memories = new BlockMemories(1 + READ_AHEAD);
    const left = blocks.values();
    const reads: { block: BlockEntry; sealed: Promise<Buffer> }[] = [];
    const readAhead = () => {
      const { value: block } = left.next();
      if (!block) return;
      const sealed = this.#sealed(block, memories.next(sealedBytes(block)));
      sealed.catch(() => undefined);
      reads.push({ block, sealed });
    };
    for (let ahead = 0; ahead < READ_AHEAD; ahead++) readAhead();
    for (let next = reads.shift(); next; next = reads.shift()) {
      const sealed = await next.sealed;
      readAhead();
      yield { block: next.block, sealed };
    }
  }

  /** Bytes of all blocks. */
  get blockBytes(): number {
    return this.#unlocked.blocks.reduce((sum, block) => sum + sealedBytes(block), 0);
  }

  /** Contents of a block, by its number in the manifest. @throws Failure backup_damaged, backup_unreadable */
  async read(index: number): Promise<Buffer> {
    const { keys, blocks } = this.#unlocked;
    const block = blocks[index];
    if (!block) throw new RangeError('a block that the manifest does not have');
    const sealed = await this.#sealed(block, Buffer.allocUnsafe(sealedBytes(block)));
    const contents = openBlock(keys, decodeBase64Url(block.name), sealed);
    if (!contents) throw new Failure('backup_damaged');
    return contents;
  }

  /** A block as it is on the disk. @param into of its length */
  async #sealed(block: BlockEntry, into: Buffer): Promise<Buffer> {
    if (block.at === null) await readBlockOf(this.path, block, into);
    else await readInto(this.#handle, block.at, into);
    return into;
  }

  get #unlocked() {
    if (!this.#opened) throw new Error('a backup that is not unlocked');
    return this.#opened;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

const byPlace = (one: BlockEntry, other: BlockEntry) => (one.at ?? 0) - (other.at ?? 0);

/** Reports whether the blocks fill their part of a file, or are all in the folder. @param part null for a folder */
function areComplete(manifest: Manifest, part: { first: number; end: number } | null): boolean {
  if (!part) return blocksOf(manifest).every(({ at }) => at === null);
  let end = part.first;
  for (const block of blocksOf(manifest).toSorted(byPlace)) {
    if (block.at !== end) return false;
    end += sealedBytes(block);
  }
  return end === part.end;
}

/** A block beside a manifest. A missing one is damage, unless the folder is gone. */
async function readBlockOf(manifestPath: string, block: BlockEntry, into: Buffer): Promise<void> {
  try {
    await readBlock(dirname(manifestPath), block, into);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const isFolderThere = await access(manifestPath).then(
      () => true,
      () => false,
    );
    throw new Failure(isMissing && isFolderThere ? 'backup_damaged' : 'backup_unreadable');
  }
}

/**
 * Reads a block in a folder as it is there.
 * @param into of its length
 * @throws Failure backup_damaged, backup_unreadable; errors of the system
 */
export async function readBlock(folder: string, block: BlockEntry, into: Buffer): Promise<void> {
  const handle = await openToRead(blockPath(folder, block.name));
  try {
    // Never more than expected.
    if ((await sizeOf(handle)) !== sealedBytes(block)) throw new Failure('backup_damaged');
    await readInto(handle, 0, into);
  } finally {
    await handle.close();
  }
}

/**
 * Reports whether a file begins as the block of this name, or is empty or begins with zeros: a power cut leaves such a file if the
 * block was not synced.
 * @param name in hexadecimal digits
 * @throws errors of the system
 */
export async function isBlockFile(path: string, name: string): Promise<boolean> {
  const handle = await openToRead(path);
  try {
    const size = await sizeOf(handle);
    if (size === null || size < BLOCK_HEAD) return size === 0;
    const head = await readAt(handle, 0, BLOCK_HEAD);
    return head.subarray(4).toString('hex') === name || head.every((byte) => byte === 0);
  } finally {
    await handle.close();
  }
}

/** Opens a regular file. Opening a pipe would wait for its writer, and the thread could not even be ended. */
function openToRead(path: string): Promise<Handle> {
  // Windows has no such flag.
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** Length of a file; null for a pipe, device or folder. */
async function sizeOf(handle: Handle): Promise<number | null> {
  const found = await handle.stat();
  return found.isFile() ? found.size : null;
}

/** Reads exactly this number of bytes. @throws Failure backup_damaged at the end of the file, backup_unreadable for an error of the disk */
async function readAt(handle: Handle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  await readInto(handle, offset, bytes);
  return bytes;
}

/** Reads until memory is full. @throws Failure like {@link readAt} */
async function readInto(handle: Handle, offset: number, into: Buffer): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, offset + done).catch(() => {
      throw new Failure('backup_unreadable');
    });
    if (bytesRead === 0) throw new Failure('backup_damaged');
    done += bytesRead;
  }
}

function parsed<T>(schema: { safeParse(value: unknown): { data?: T } }, text: Uint8Array): T {
  let json: unknown;
  try {
    json = JSON.parse(decodeUtf8(text));
  } catch {
    throw new Failure('backup_damaged');
  }
  const { data } = schema.safeParse(json);
  if (data === undefined) throw new Failure('backup_damaged');
  return data;
}
