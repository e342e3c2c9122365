import { randomBytes } from 'node:crypto';
import { globSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BackupFolder, FolderWriter, newBackupFolder } from '../../../src/archive/folder-writer.ts';
import { FOLDER_PIECE_BYTES } from '../../../src/archive/form.ts';
import type { FileRecord } from '../../../src/archive/history-records.ts';
import { openNewest } from '../../../src/archive/open-newest.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { ann } from '../../support/history.ts';

const FACTS = { address: ann.address, at: 0, lastArrival: 0 };
const SECRETS = { passphrase: null, walletKey: randomBytes(32) };

async function newFolder() {
  const temporary = temporaryFolder();
  onTestFinished(() => temporary[Symbol.dispose]());
  return newBackupFolder(temporary.path, SECRETS);
}

const record = (size: number): FileRecord => ({
  ...{ type: 'file', key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)) },
  size,
});

/** Files of the newest backup, which is verified: size and bytes. */
async function filesIn(folder: string) {
  const { file, manifest } = await openNewest(folder, SECRETS, ann.address);
  try {
    await file.verify(() => undefined);
    let next = manifest.people.length + manifest.history.length;
    const files: { size: number; bytes: Buffer }[] = [];
    for (const { file: each, pieces } of manifest.files) {
      const contents: Buffer[] = [];
      for (const _ of pieces) contents.push(await file.read(next++));
      files.push({ size: each.size, bytes: Buffer.concat(contents) });
    }
    return files;
  } finally {
    await file.close();
  }
}

test('a file that becomes shorter while it is read is left out, and is in the next backup when it is whole', async () => {
  const folder = await newFolder();
  const [whole, other] = [randomBytes(2 * FOLDER_PIECE_BYTES + 9), randomBytes(500)];
  const [path, otherPath] = [join(folder.path, 'source'), join(folder.path, 'other')];
  writeFileSync(path, whole);
  writeFileSync(otherPath, other);
  const [one, two] = [record(1), record(2)];
  const first = await FolderWriter.begin(folder, null);
  // The first piece has been read.
  const prototype: FileHandle = Object.getPrototypeOf(await opened(path));
  const read = prototype.read;
  const spied = vi.spyOn(prototype, 'read').mockImplementation(async function (
    this: FileHandle,
    ...args: unknown[]
  ) {
    if (args[3] === FOLDER_PIECE_BYTES) truncateSync(path, FOLDER_PIECE_BYTES + 5);
    return Reflect.apply(read, this, args);
  });
  onTestFinished(() => spied.mockRestore());
  expect(await first.addFile(path, one, whole.length)).toBe(false);
  spied.mockRestore();
  expect(await first.addFile(otherPath, two, other.length)).toBe(true);
  const { digest } = await first.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([{ size: 2, bytes: other }]);
  writeFileSync(path, whole);
  const second = await FolderWriter.begin(folder, digest);
  expect(await second.addFile(path, one, whole.length)).toBe(true);
  expect(await second.addFile(otherPath, two, other.length)).toBe(true);
  await second.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([
    { size: 1, bytes: whole },
    { size: 2, bytes: other },
  ]);
});

test('a file has a block for each 4 MiB, since each block is a file of its own', async () => {
  const folder = await newFolder();
  const path = join(folder.path, 'source');
  const bytes = randomBytes(4 * 1024 * 1024 + 1);
  writeFileSync(path, bytes);
  const writer = await FolderWriter.begin(folder, null);
  expect(await writer.addFile(path, record(1), bytes.length)).toBe(true);
  await writer.finish(FACTS, () => undefined);
  expect(blocksIn(folder)).toHaveLength(2);
  expect(await filesIn(folder.path)).toEqual([{ size: 1, bytes }]);
});

test('a file that is deleted before it is read is left out', async () => {
  const folder = await newFolder();
  const writer = await FolderWriter.begin(folder, null);
  expect(await writer.addFile(join(folder.path, 'source'), record(1), 10)).toBe(false);
  await writer.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([]);
});

test('a file on a damaged part of the disk is left out, and the others are backed up', async () => {
  const folder = await newFolder();
  const [path, otherPath] = [join(folder.path, 'source'), join(folder.path, 'other')];
  const other = randomBytes(500);
  writeFileSync(path, randomBytes(900));
  writeFileSync(otherPath, other);
  const writer = await FolderWriter.begin(folder, null);
  const prototype: FileHandle = Object.getPrototypeOf(await opened(path));
  const damaged = Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'read' });
  const spied = vi.spyOn(prototype, 'read').mockRejectedValueOnce(damaged);
  onTestFinished(() => spied.mockRestore());
  expect(await writer.addFile(path, record(1), 900)).toBe(false);
  expect(await writer.addFile(otherPath, record(2), other.length)).toBe(true);
  await writer.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([{ size: 2, bytes: other }]);
});

test('a file that is lost after a backup stays in the next one', async () => {
  const folder = await newFolder();
  const bytes = randomBytes(FOLDER_PIECE_BYTES + 9);
  const path = join(folder.path, 'source');
  const file = record(1);
  writeFileSync(path, bytes);
  const first = await FolderWriter.begin(folder, null);
  expect(await first.addFile(path, file, bytes.length)).toBe(true);
  const { digest } = await first.finish(FACTS, () => undefined);
  rmSync(path);
  const second = await FolderWriter.begin(folder, digest);
  expect(await second.addFile(path, file, bytes.length)).toBe(true);
  await second.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([{ size: 1, bytes }]);
});

const part = (range: number) => ({ range, messages: 1, isFirst: true });
const texts = Array.from({ length: 20 }, () => randomBytes(1_000));

/** A backup of some texts. @returns its digest */
async function made(folder: BackupFolder, last: string | null, contents: readonly Buffer[]) {
  const writer = await FolderWriter.begin(folder, last);
  for (const [range, text] of contents.entries()) await writer.addMessages(text, part(range));
  return (await writer.finish(FACTS, () => undefined)).digest;
}

async function messagesIn(folder: string): Promise<Buffer[]> {
  const { file, manifest } = await openNewest(folder, SECRETS, ann.address);
  try {
    await file.verify(() => undefined);
    const contents: Buffer[] = [];
    for (const index of manifest.history.keys()) contents.push(await file.read(index));
    return contents;
  } finally {
    await file.close();
  }
}

const blocksIn = (folder: BackupFolder) => globSync(join(folder.path, 'blocks', '*', '*')).toSorted();

/** Counts syncs, before and after any manifest was written. @param work done instead of each */
async function countingSyncs(folder: BackupFolder, work?: () => Promise<void>) {
  const counts = { before: 0, after: 0 };
  const prototype: FileHandle = Object.getPrototypeOf(await opened(fileURLToPath(import.meta.url)));
  const sync = prototype.sync;
  const spied = vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    const hasManifest = readdirSync(folder.path).some((name) => name !== 'blocks');
    counts[hasManifest ? 'after' : 'before'] += 1;
    return work ? work() : Reflect.apply(sync, this, []);
  });
  onTestFinished(() => spied.mockRestore());
  return counts;
}

test('no block waits for the disk alone: all are synced after the last one, and before the manifest', async () => {
  const folder = await newFolder();
  const writer = await FolderWriter.begin(folder, null);
  const counts = await countingSyncs(folder);
  for (const [range, text] of texts.entries()) await writer.addMessages(text, part(range));
  expect(counts).toEqual({ before: 0, after: 0 });
  const places = new Set(blocksIn(folder).map((path) => dirname(path)));
  await writer.finish(FACTS, () => undefined);
  // Each block, each folder of blocks, and their folder; then the manifest, its name, and the end of the removal of old ones.
  expect(counts).toEqual({ before: texts.length + places.size + 1, after: 3 });
  expect(await messagesIn(folder.path)).toEqual(texts);
});

test.each<[string, (path: string) => void]>([
  ['empty files', (path) => truncateSync(path, 0)],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length))],
])(
  'after a power cut that leaves %s in place of blocks, the backup before is valid, and so is the next one',
  async (_, cut) => {
    const folder = await newFolder();
    const digest = await made(folder, null, texts.slice(0, 3));
    const durable = new Set(blocksIn(folder));
    const writer = await FolderWriter.begin(folder, digest);
    for (const [range, text] of texts.entries()) await writer.addMessages(text, part(range));
    const lost = blocksIn(folder).filter((path) => !durable.has(path));
    expect(lost).toHaveLength(texts.length - 3);
    for (const path of lost) cut(path);
    expect(await messagesIn(folder.path)).toEqual(texts.slice(0, 3));
    // One of them is not needed any more.
    await made(folder, digest, texts.slice(0, -1));
    expect(await messagesIn(folder.path)).toEqual(texts.slice(0, -1));
    expect(blocksIn(folder)).toHaveLength(texts.length - 1);
  },
);

test('the blocks of a killed backup are synced by the next one, which uses them', async () => {
  const folder = await newFolder();
  const killed = await FolderWriter.begin(folder, null);
  for (const [range, text] of texts.entries()) await killed.addMessages(text, part(range));
  const counts = await countingSyncs(folder);
  await made(folder, null, texts);
  expect(counts.before).toBeGreaterThan(texts.length);
});

test('a block in the place of a damaged one is synced before it replaces it', async () => {
  const folder = await newFolder();
  const digest = await made(folder, null, texts.slice(0, 1));
  const [path = ''] = blocksIn(folder);
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.from(bytes).fill(0, 100, 101));
  const writer = await FolderWriter.begin(folder, digest);
  const counts = await countingSyncs(folder);
  await writer.addMessages(texts[0] ?? bytes, part(0));
  expect(counts).toEqual({ before: 0, after: 1 });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('a disk that cannot sync the blocks gets no manifest of them', async () => {
  const folder = await newFolder();
  const digest = await made(folder, null, texts.slice(0, 3));
  const refused = Object.assign(new Error('refused'), { code: 'EIO', syscall: 'fsync' });
  await countingSyncs(folder, () => Promise.reject(refused));
  await expect(made(folder, digest, texts)).rejects.toMatchObject({ code: 'backup_folder_unwritable' });
  expect(await messagesIn(folder.path)).toEqual(texts.slice(0, 3));
});

async function opened(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r');
  await handle.close();
  return handle;
}
