/** Writes a backup file under a temporary name, verifies it by reading all of it, and gives it its name. */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { renameDurably } from '../base/node/durable-file.ts';
import { encodeBase64Url } from '../protocol/encoding.ts';
import { BlockMemories } from './block-memory.ts';
import {
  BACKUP_VERSION,
  type BackupHeader,
  type BlockEntry,
  END,
  type HistoryBlock,
  MAGIC,
  type Manifest,
  sealedBytes,
} from './form.ts';
import type { FileRecord } from './history-records.ts';
import { type ContentKeys, contentKeys, nameOf, pieceName } from './keys.ts';
import { piecesOf, SourceError } from './pieces.ts';
import { BackupFile } from './reader.ts';
import { sealBlock, sealManifest } from './seal.ts';
import { SerialQueue } from './serial-queue.ts';

type Handle = Awaited<ReturnType<typeof open>>;

/** Properties of a backup apart from its blocks. */
export type BackupFacts = Pick<Manifest, 'address' | 'at' | 'lastArrival'>;

/** A block of messages: `isFirst` replaces earlier blocks of its range. */
export type MessagePart = Pick<HistoryBlock, 'range' | 'messages'> & { isFirst: boolean };

/** A backup that is being made. Messages and files can be added at the same time, each in their order. */
export interface BackupTarget {
  /** Adds records of people, groups and settings, as lines of JSON. */
  addPeople(text: Uint8Array): Promise<void>;
  /** Adds messages, as lines of JSON. Ranges ascend. An empty text means a range without messages. */
  addMessages(text: Uint8Array, part: MessagePart): Promise<void>;
  /**
   * Adds a sealed file on the disk. One that is not there, or is shorter, is left out: it may be deleted meanwhile.
   * @param bytes its length
   * @returns whether it was added
   */
  addFile(path: string, file: FileRecord, bytes: number): Promise<boolean>;
  /**
   * Verifies the backup, and makes it valid.
   * @param onVerified called with the number of verified bytes; it may throw to stop
   */
  finish(facts: BackupFacts, onVerified: (bytes: number) => void): Promise<FinishedBackup>;
  /** Ends the work, and removes incomplete files. */
  abort(): Promise<void>;
}

export interface FinishedBackup {
  /** Of all that a restore reads. */
  bytes: number;
  messages: number;
  /** In a folder: the digest of the manifest, by which the next backup knows it. */
  digest: string | null;
}

/** The manifest of a backup, and the trailer after it. @param offset of the manifest */
export function manifestBytes(
  keys: ContentKeys,
  manifest: Manifest,
  header: Uint8Array,
  offset: number,
): Buffer {
  const sealed = sealManifest(keys, Buffer.from(JSON.stringify(manifest)), header);
  const place = Buffer.alloc(12);
  place.writeBigUInt64BE(BigInt(offset));
  place.writeUInt32BE(sealed.length, 8);
  return Buffer.concat([sealed, place, END]);
}

/** Sums of the lists of a manifest. */
export function sumsOf({ history, files }: Pick<Manifest, 'history' | 'files'>) {
  return {
    messages: history.reduce((sum, { messages }) => sum + messages, 0),
    fileBytes: files.flatMap(({ pieces }) => pieces).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The start of a backup up to the blocks, with a checksum: damage is not reported as a wrong passphrase or as a newer version. */
export function headerBytes(header: BackupHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const bytes = Buffer.concat([MAGIC, length, text]);
  return Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]);
}

export class BackupWriter implements BackupTarget {
  readonly #handle: Handle;
  readonly #partial: string;
  readonly #target: string;
  readonly #key: Uint8Array;
  readonly #keys: ContentKeys;
  readonly #header: Buffer;
  readonly #id: string;
  readonly #lists: Pick<Manifest, 'people' | 'history' | 'files' | 'unused'> = {
    people: [],
    history: [],
    files: [],
    unused: [],
  };
  readonly #queue = new SerialQueue();
  readonly #fileQueue = new SerialQueue();
  readonly #memories = new BlockMemories(2);
  readonly #pieces = new BlockMemories(2);
  #offset: number;
  readonly #stop = new AbortController();
  /** End of writing the last block. */
  #written: Promise<void> = Promise.resolve();

  private constructor(
    target: string,
    partial: string,
    handle: Handle,
    key: Uint8Array,
    header: BackupHeader,
  ) {
    this.#target = target;
    this.#partial = partial;
    this.#handle = handle;
    this.#key = key;
    this.#keys = contentKeys(key);
    this.#header = headerBytes(header);
    this.#id = header.id;
    this.#offset = this.#header.length;
  }

  /**
   * @param target path, replaced when the backup is complete
   * @param partial temporary path in the same folder, of no file
   * @param key 32 bytes
   */
  static async begin(
    target: string,
    partial: string,
    key: Uint8Array,
    header: BackupHeader,
  ): Promise<BackupWriter> {
    const handle = await open(partial, 'wx', 0o600);
    const writer = new BackupWriter(target, partial, handle, key, header);
    try {
      await handle.writeFile(writer.#header);
    } catch (error) {
      await writer.abort();
      throw error;
    }
    return writer;
  }

  async addPeople(text: Uint8Array): Promise<void> {
    this.#lists.people.push(await this.#add(text));
  }

  async addMessages(text: Uint8Array, { range, messages }: MessagePart): Promise<void> {
    if (text.length > 0) this.#lists.history.push({ ...(await this.#add(text)), range, messages });
  }

  addFile(path: string, file: FileRecord, bytes: number): Promise<boolean> {
    return this.#fileQueue.run(() => this.#addNextFile(path, file, bytes));
  }

  async #addNextFile(path: string, file: FileRecord, bytes: number): Promise<boolean> {
    this.#stop.signal.throwIfAborted();
    const pieces: BlockEntry[] = [];
    try {
      for await (const piece of piecesOf(path, bytes, this.#pieces))
        pieces.push(await this.#add(piece, pieceName(this.#keys, file, pieces.length)));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.#lists.unused.push(...pieces);
      return false;
    }
    this.#lists.files.push({ file, pieces });
    return true;
  }

  #add(contents: Uint8Array, name?: Buffer): Promise<BlockEntry> {
    return this.#queue.run(() => this.#addNext(contents, name ?? nameOf(this.#keys, contents)));
  }

  /** Seals a block while the one before is written. Its own failure is that of the next call. */
  async #addNext(contents: Uint8Array, name: Buffer): Promise<BlockEntry> {
    this.#stop.signal.throwIfAborted();
    const sealed = this.#memories.next(sealedBytes({ bytes: contents.length }));
    sealBlock(this.#keys, contents, name, sealed);
    await this.#written;
    this.#written = writeAll(this.#handle, sealed);
    this.#written.catch(() => undefined);
    const at = this.#offset;
    this.#offset += sealed.length;
    return { name: encodeBase64Url(name), bytes: contents.length, at };
  }

  async finish(facts: BackupFacts, onVerified: (bytes: number) => void): Promise<FinishedBackup> {
    await this.#written;
    const sums = sumsOf(this.#lists);
    const manifest: Manifest = {
      ...{ version: BACKUP_VERSION, id: this.#id, blocks: 'file' },
      ...facts,
      ...sums,
      ...this.#lists,
    };
    await this.#handle.writeFile(manifestBytes(this.#keys, manifest, this.#header, this.#offset));
    await this.#handle.sync();
    await this.#handle.close();
    const file = await BackupFile.open(this.#partial);
    try {
      await file.unlock(this.#key);
      await file.verify(onVerified);
    } finally {
      await file.close();
    }
    await renameDurably(this.#partial, this.#target);
    return { bytes: file.size, messages: sums.messages, digest: null };
  }

  async abort(): Promise<void> {
    this.#stop.abort();
    await this.#handle.close().catch(() => undefined);
    await rm(this.#partial, { force: true });
  }
}

/** Writes at the end of a file. */
async function writeAll(handle: Handle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
}
