/**
 * An incremental backup in a folder: blocks that are there already are not written again. The manifest is written last, under a
 * temporary name. Blocks without a manifest are deleted only after it.
 *
 * This file has the order of writing, syncing and removing. The form of header, blocks and manifest belongs in ./form.ts,
 * sealing in ./seal.ts, names of files in ./folder-names.ts, reading files in ./pieces.ts, and restoring in ./reader.ts.
 */
import { createHash, randomInt } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, failedWith } from '../base/failure.ts';
import { log } from '../base/log.ts';
import { isDiskFull } from '../base/node/disk-full.ts';
import { renameDurably, syncFolderDurably } from '../base/node/durable-file.ts';
import { decodeBase64Url, encodeBase64Url } from '../protocol/encoding.ts';
import { BlockMemory } from './block-memory.ts';
import {
  blockPath,
  blocksFolder,
  blocksIn,
  manifestNames,
  newFolderName,
  newManifestName,
  requireFolder,
  retained,
  unfinishedManifests,
  unfinishedName,
} from './folder-names.ts';
import {
  BACKUP_VERSION,
  type BackupHeader,
  type BlockEntry,
  blocksOf,
  FOLDER_PIECE_BYTES,
  type HistoryBlock,
  type Manifest,
  sealedBytes,
} from './form.ts';
import type { FileRecord } from './history-records.ts';
import {
  type BackupSecrets,
  type ContentKeys,
  contentKeys,
  nameOf,
  newBackupKey,
  pieceName,
} from './keys.ts';
import { placesOf, SourceError, SourceFile } from './pieces.ts';
import { BackupFile, isBlockFile, readBlock } from './reader.ts';
import { isBlock, sealBlock } from './seal.ts';
import { SerialQueue } from './serial-queue.ts';
import {
  type BackupFacts,
  type BackupTarget,
  type FinishedBackup,
  headerBytes,
  type MessagePart,
  manifestBytes,
  sumsOf,
} from './writer.ts';

/** A folder for automatic backups, made by this app. */
export interface BackupFolder {
  path: string;
  header: BackupHeader;
  /** 32 bytes. */
  key: Uint8Array;
}

/**
 * Ranges of messages for an incremental backup. `changed`: those with changes since the last backup, and `lost`, whose blocks are
 * missing in the folder. `all`: the newest backup there is not the last one of this computer.
 */
export type NeededRanges = { kind: 'all' } | { kind: 'changed'; lost: number[] };

/** Old blocks that each backup reads again, chosen at random: a disk may lose them. */
const OLD_BLOCKS_READ = 64;
/** Syncs at a time, for a disk to do together. A silent drive occupies a thread for each, and the process has four. */
const SYNCED_TOGETHER = 2;

const AWAY: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EHOSTDOWN',
  'ENOTCONN',
  'ESTALE',
  'ETIMEDOUT',
]);

/** Makes a folder for the backups of this computer in a folder of the person. */
export async function newBackupFolder(parent: string, secrets: BackupSecrets): Promise<BackupFolder> {
  const path = join(parent, newFolderName());
  await mkdir(path, { mode: 0o700 });
  await mkdir(blocksFolder(path), { mode: 0o700 });
  await syncFolderDurably(parent);
  return { path, ...(await newBackupKey(secrets)) };
}

/** The failure of an error of the system in a folder. */
function folderFailure(error: unknown): unknown {
  if (isDiskFull(error)) return new Failure('backup_no_room');
  if (error instanceof Failure || !(error instanceof Error) || !('syscall' in error)) return error;
  return new Failure(
    'code' in error && AWAY.has(error.code) ? 'backup_folder_away' : 'backup_folder_unwritable',
  );
}

async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw folderFailure(error);
  }
}

/** The newest backup of a folder. */
interface Previous {
  manifest: Manifest;
  digest: string;
}

export class FolderWriter implements BackupTarget {
  readonly #folder: BackupFolder;
  readonly #keys: ContentKeys;
  readonly #header: Buffer;
  /** Names of blocks in the folder, in hexadecimal digits. */
  readonly #present: Set<string>;
  /** Names of blocks that could not be read as they were written. */
  readonly #damaged: Set<string>;
  /** Paths of blocks that may not be on the disk yet. */
  readonly #unsynced = new Set<string>();
  /** New blocks, to verify at the end. */
  readonly #unverified = new Map<string, BlockEntry>();
  /** Lengths of blocks that were verified, by this backup or the one before. */
  readonly #verified: Map<string, number>;
  /** Folders of blocks whose names may not be durable. */
  readonly #places = new Set<string>();
  readonly #people: BlockEntry[] = [];
  readonly #history: Map<number, HistoryBlock[]>;
  readonly #files: Manifest['files'] = [];
  readonly #piece = Buffer.alloc(FOLDER_PIECE_BYTES);
  readonly #queue = new SerialQueue();
  readonly #fileQueue = new SerialQueue();
  readonly #stop = new AbortController();
  readonly #memory = new BlockMemory();
  readonly needed: NeededRanges;

  private constructor(
    folder: BackupFolder,
    present: Set<string>,
    damaged: Set<string>,
    previous: Previous | null,
    isLast: boolean,
  ) {
    this.#folder = folder;
    this.#keys = contentKeys(folder.key);
    this.#header = headerBytes(folder.header);
    this.#present = present;
    this.#damaged = damaged;
    const before = previous ? blocksOf(previous.manifest) : [];
    this.#verified = new Map(before.map(({ name, bytes }) => [name, bytes]));
    this.#history = new Map();
    this.needed = { kind: 'all' };
    if (!previous || !isLast) return;
    this.#history = Map.groupBy(previous.manifest.history, ({ range }) => range);
    const lost = [...this.#history]
      .filter(([, blocks]) => blocks.some((block) => !this.#isPresent(block.name)))
      .map(([range]) => range);
    this.needed = { kind: 'changed', lost };
  }

  /**
   * @param last digest of the last manifest that this computer wrote; null for none
   * @throws Failure backup_folder_away, backup_folder_unwritable, backup_folder_changed, backup_no_room
   */
  static begin(folder: BackupFolder, last: string | null): Promise<FolderWriter> {
    return inFolder(async () => {
      // Never made again: it may be the place of a drive that is not connected.
      await requireFolder(folder.path);
      await requireOwn(folder);
      const previous = await newest(folder);
      const { names, unfinished } = await blocksIn(folder.path);
      for (const path of [...unfinished, ...(await unfinishedManifests(folder.path))])
        await rm(path, { force: true });
      const damaged = previous ? await damagedIn(folder, previous.manifest, names) : new Set<string>();
      const isLast = last !== null && previous?.digest === last;
      return new FolderWriter(folder, names.difference(damaged), damaged, previous, isLast);
    });
  }

  async addPeople(text: Uint8Array): Promise<void> {
    this.#people.push(await this.#add(text));
  }

  async addMessages(text: Uint8Array, { range, messages, isFirst }: MessagePart): Promise<void> {
    const blocks = isFirst ? [] : (this.#history.get(range) ?? []);
    if (text.length > 0) blocks.push({ ...(await this.#add(text)), range, messages });
    this.#history.set(range, blocks);
  }

  addFile(path: string, file: FileRecord, bytes: number): Promise<boolean> {
    return this.#fileQueue.run(() => this.#addNextFile(path, file, bytes));
  }

  async #addNextFile(path: string, file: FileRecord, bytes: number): Promise<boolean> {
    // Opened for the first missing block: a file that this disk has lost stays in the backup if the folder has all of it.
    let source: SourceFile | null = null;
    try {
      const pieces: BlockEntry[] = [];
      for (const { offset, length } of placesOf(bytes, FOLDER_PIECE_BYTES)) {
        const name = pieceName(this.#keys, file, pieces.length);
        const block = { name: encodeBase64Url(name), bytes: length, at: null };
        pieces.push(block);
        this.#stop.signal.throwIfAborted();
        if (await this.#queue.run(() => this.#isThere(block))) continue;
        source ??= await SourceFile.open(path);
        await this.#add(await source.read(offset, this.#piece.subarray(0, length)), name);
      }
      this.#files.push({ file, pieces });
      return true;
    } catch (error) {
      if (error instanceof SourceError) return false;
      throw error;
    } finally {
      await source?.[Symbol.asyncDispose]();
    }
  }

  #isPresent(name: string): boolean {
    return this.#present.has(hexOf(name));
  }

  /** Reports whether a block is in the folder as it was written: a backup that did not end may have left it. */
  async #isThere(block: BlockEntry): Promise<boolean> {
    if (!this.#isPresent(block.name)) return false;
    if (this.#verified.get(block.name) === block.bytes || this.#unverified.has(block.name)) return true;
    const isWhole = await inFolder(() => isReadable(this.#folder.path, this.#keys, block, this.#memory));
    if (isWhole) {
      this.#verified.set(block.name, block.bytes);
      this.#addUnsynced(blockPath(this.#folder.path, block.name));
    } else this.#damaged.add(hexOf(block.name));
    return isWhole;
  }

  #addUnsynced(path: string): void {
    this.#unsynced.add(path);
    this.#places.add(dirname(path));
  }

  #add(contents: Uint8Array, name?: Buffer): Promise<BlockEntry> {
    return this.#queue.run(() => this.#addNext(contents, name ?? nameOf(this.#keys, contents)));
  }

  async #addNext(contents: Uint8Array, name: Buffer): Promise<BlockEntry> {
    this.#stop.signal.throwIfAborted();
    const block = { name: encodeBase64Url(name), bytes: contents.length, at: null };
    if (await this.#isThere(block)) return block;
    const sealed = this.#memory.of(sealedBytes(block));
    sealBlock(this.#keys, contents, name, sealed);
    const target = blockPath(this.#folder.path, block.name);
    await inFolder(async () => {
      const place = dirname(target);
      if (!this.#places.has(place)) await mkdir(place, { mode: 0o700 }).catch(ignoreExisting);
      const partial = join(place, unfinishedName());
      // A block of backups that are there may be replaced by a durable one only.
      if (this.#damaged.has(hexOf(block.name))) await writeSynced(partial, sealed);
      else await writeFile(partial, sealed, NEW_FILE);
      await rename(partial, target);
    });
    this.#present.add(hexOf(block.name));
    this.#unverified.set(block.name, block);
    this.#addUnsynced(target);
    return block;
  }

  finish(facts: BackupFacts, onVerified: (bytes: number) => void): Promise<FinishedBackup> {
    return inFolder(async () => {
      const history = [...this.#history]
        .toSorted(([one], [other]) => one - other)
        .flatMap(([, each]) => each);
      const lists = { people: this.#people, history, files: this.#files, unused: [] };
      const sums = sumsOf(lists);
      const manifest: Manifest = {
        ...{ version: BACKUP_VERSION, id: this.#folder.header.id, blocks: 'folder' },
        ...facts,
        ...sums,
        ...lists,
      };
      await this.#sync(onVerified);
      await this.#verify(onVerified);
      const bytes = Buffer.concat([
        this.#header,
        manifestBytes(this.#keys, manifest, this.#header, this.#header.length),
      ]);
      const partial = join(this.#folder.path, unfinishedName());
      await writeSynced(partial, bytes);
      const digest = digestOf(bytes);
      if (digestOf(await readFile(partial)) !== digest) throw new Failure('backup_folder_faulty');
      const [before] = await manifestNames(this.#folder.path);
      await renameDurably(partial, join(this.#folder.path, newManifestName(facts.at, before)));
      // The backup is valid without it.
      await prune(this.#folder, this.#present).catch((error: unknown) => {
        if (!(folderFailure(error) instanceof Failure)) throw error;
        log('info', 'backup.unpruned', {});
      });
      const whole = blocksOf(manifest).reduce((sum, block) => sum + sealedBytes(block), bytes.length);
      return { bytes: whole, messages: sums.messages, digest };
    });
  }

  /** Makes the blocks and their names durable, before a manifest names them. @param onSynced it may throw to stop */
  async #sync(onSynced: (bytes: number) => void): Promise<void> {
    await runConcurrently([...this.#unsynced], async (path) => {
      onSynced(0);
      await syncFile(path);
    });
    await runConcurrently([...this.#places, blocksFolder(this.#folder.path)], syncFolderDurably);
  }

  /** Reads the new blocks. */
  async #verify(onVerified: (bytes: number) => void): Promise<void> {
    let verified = 0;
    for (const block of this.#unverified.values()) {
      if (!(await isReadable(this.#folder.path, this.#keys, block, this.#memory)))
        throw new Failure('backup_folder_faulty');
      verified += sealedBytes(block);
      onVerified(verified);
    }
  }

  /** Blocks that are written are used by the next backup. */
  async abort(): Promise<void> {
    this.#stop.abort();
    // The next backup removes unfinished blocks, and must not find one that is still written.
    await this.#queue.run(async () => undefined);
  }
}

const hexOf = (name: string) => Buffer.from(decodeBase64Url(name)).toString('hex');
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** @throws Failure backup_folder_changed if any backup is of another computer */
async function requireOwn(folder: BackupFolder): Promise<void> {
  for (const name of await manifestNames(folder.path)) {
    const file = await ifReadable(() => BackupFile.open(join(folder.path, name)));
    await file?.close();
    if (file && file.header.id !== folder.header.id) throw new Failure('backup_folder_changed');
  }
}

/** The newest backup of a folder that can be opened; null for none. */
async function newest(folder: BackupFolder): Promise<Previous | null> {
  for (const name of await manifestNames(folder.path)) {
    const previous = await opened(folder, name);
    if (previous) return previous;
  }
  return null;
}

/** A backup of this computer; null for a damaged one. */
function opened(folder: BackupFolder, name: string): Promise<Previous | null> {
  return ifReadable(async () => {
    const file = await BackupFile.open(join(folder.path, name));
    try {
      const manifest = await file.unlock(folder.key);
      if (manifest.blocks !== 'folder') throw new Failure('backup_damaged');
      return { manifest, digest: file.digest };
    } finally {
      await file.close();
    }
  });
}

/** Reports whether a block of the folder can be read as it was written. @throws errors of the system */
async function isReadable(
  folder: string,
  keys: ContentKeys,
  block: BlockEntry,
  memory: BlockMemory,
): Promise<boolean> {
  const sealed = memory.of(sealedBytes(block));
  const isRead = await ifReadable(async () => {
    await readBlock(folder, block, sealed);
    return true;
  });
  return isRead === true && isBlock(keys, decodeBase64Url(block.name), sealed);
}

/** Null for damage, or a disk that does not return the bytes. If the whole folder is away, the next steps fail. */
async function ifReadable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (failedWith(error, 'backup_damaged', 'backup_unknown', 'backup_unreadable')) return null;
    throw error;
  }
}

/** Reads some old blocks. @returns names of damaged ones: they are written again in their places */
async function damagedIn(
  folder: BackupFolder,
  manifest: Manifest,
  present: ReadonlySet<string>,
): Promise<Set<string>> {
  const damaged = new Set<string>();
  const [keys, memory] = [contentKeys(folder.key), new BlockMemory()];
  const blocks = blocksOf(manifest).filter(({ name }) => present.has(hexOf(name)));
  const count = Math.min(OLD_BLOCKS_READ, blocks.length);
  const start = blocks.length === 0 ? 0 : randomInt(blocks.length);
  for (let index = 0; index < count; index++) {
    const block = blocks[(start + index) % blocks.length];
    if (block && !(await isReadable(folder.path, keys, block, memory))) damaged.add(hexOf(block.name));
  }
  return damaged;
}

/**
 * Removes old manifests, and then the blocks that no manifest has. A file that cannot be removed does not prevent the
 * removal of the others.
 */
async function prune(folder: BackupFolder, present: ReadonlySet<string>): Promise<void> {
  const names = await manifestNames(folder.path);
  const kept = retained(names);
  const used = new Set<string>();
  for (const name of kept) {
    const backup = await opened(folder, name);
    // Its blocks are unknown: all of them stay until it is outdated.
    if (!backup) return;
    for (const block of blocksOf(backup.manifest)) used.add(hexOf(block.name));
  }
  const refusals: unknown[] = [];
  const note = (error: unknown) => void refusals.push(error);
  const remove = (path: string) => rm(path, { force: true }).catch(note);
  for (const name of names) if (!kept.has(name)) await remove(join(folder.path, name));
  if (refusals.length > 0) throw refusals[0];
  await syncFolderDurably(folder.path);
  for (const name of present) {
    const path = blockPath(folder.path, encodeBase64Url(Buffer.from(name, 'hex')));
    // A link may have led to a file of another program.
    const isOwn = !used.has(name) && (await isBlockFile(path, name).catch(note));
    if (isOwn) await remove(path);
  }
  if (refusals.length > 0) throw refusals[0];
}

const NEW_FILE = { flag: 'wx', mode: 0o600 } as const;

async function syncFile(path: string): Promise<void> {
  // Windows syncs only files that can be written.
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs work for each item, {@link SYNCED_TOGETHER} at a time, and stops after a failure. @throws the first failure */
async function runConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const stop = new AbortController();
  const next = async () => {
    for (const item of left) {
      if (stop.signal.aborted) return;
      await work(item).catch((error: unknown) => stop.abort({ error }));
    }
  };
  await Promise.all(Array.from({ length: SYNCED_TOGETHER }, next));
  if (stop.signal.aborted) throw stop.signal.reason.error;
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
