import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BLOCK_BYTES, type Manifest, sealedBytes } from '../../../src/archive/form.ts';
import type { FileRecord } from '../../../src/archive/history-records.ts';
import { contentKeys, nameOf, newBackupKey } from '../../../src/archive/keys.ts';
import { BackupFile } from '../../../src/archive/reader.ts';
import { sealBlock } from '../../../src/archive/seal.ts';
import { BackupWriter, headerBytes, manifestBytes } from '../../../src/archive/writer.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { ann } from '../../support/history.ts';

const FACTS = { address: ann.address, at: 0, lastArrival: 0 };

async function begun() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, 'a.waxwing-backup');
  const { key, header } = await newBackupKey({ passphrase: null, walletKey: randomBytes(32) });
  const writer = await BackupWriter.begin(path, join(folder.path, 'partial'), key, header);
  onTestFinished(() => writer.abort());
  return { folder: folder.path, path, key, writer };
}

const record = (size: number): FileRecord => ({
  ...{ type: 'file', key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)) },
  size,
});

test('blocks and pieces of all lengths are read back in their order, though their memory is used again', async () => {
  const { folder, path, key, writer } = await begun();
  const texts = [10, 300_000, 5, BLOCK_BYTES + 3, 1].map((length) => randomBytes(length));
  for (const [range, text] of texts.entries()) {
    const lines = Buffer.from(text);
    await writer.addMessages(lines, { range, messages: 1, isFirst: true });
    // As the next call does.
    lines.fill(0);
  }
  const lengths = [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES, 3 * BLOCK_BYTES + 7];
  const files = lengths.map((length) => randomBytes(length));
  for (const file of files) {
    const source = join(folder, 'source');
    writeFileSync(source, file);
    expect(await writer.addFile(source, record(file.length), file.length)).toBe(true);
  }
  await writer.finish(FACTS, () => undefined);
  const backup = await BackupFile.open(path);
  const manifest = await backup.unlock(key);
  const contents: Buffer[] = [];
  const count = texts.length + manifest.files.flatMap(({ pieces }) => pieces).length;
  for (let block = 0; block < count; block++) contents.push(await backup.read(block));
  await backup.close();
  expect(
    contents.slice(0, texts.length).map((each, index) => each.equals(texts[index] ?? each.fill(0))),
  ).toEqual(texts.map(() => true));
  expect(manifest.files.map(({ pieces }) => pieces.map(({ bytes }) => bytes))).toEqual([
    ...[[], [1], [BLOCK_BYTES - 1], [BLOCK_BYTES], [BLOCK_BYTES, 1]],
    ...[
      [BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES],
      [BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, 7],
    ],
  ]);
  expect(Buffer.concat(contents.slice(texts.length)).equals(Buffer.concat(files))).toBe(true);
});

test('each block is verified after writing, and a failure of a write ends the backup', async () => {
  const { folder, writer } = await begun();
  const [partial = ''] = readdirSync(folder);
  for (let range = 0; range < 3; range++)
    await writer.addMessages(randomBytes(100_000), { range, messages: 1, isFirst: true });
  const verified: number[] = [];
  const stop = new Error('stop');
  await expect(
    writer.finish(FACTS, (bytes) => {
      verified.push(bytes);
      if (verified.length === 3) throw stop;
    }),
  ).rejects.toBe(stop);
  expect(verified).toEqual([100_052, 200_104, 300_156]);
  await writer.abort();
  expect(readdirSync(folder)).not.toContain(partial);
  const part = { range: 3, messages: 1, isFirst: true };
  await expect(writer.addMessages(randomBytes(10), part)).rejects.toThrow();
});

test('messages and files that are added at the same time are in one file, each in their order', async () => {
  const { folder, path, key, writer } = await begun();
  const texts = Array.from({ length: 20 }, () => randomBytes(200_000));
  const files = Array.from({ length: 3 }, () => randomBytes(2 * BLOCK_BYTES + 9));
  const addMessages = async () => {
    for (const [range, text] of texts.entries())
      await writer.addMessages(text, { range, messages: 1, isFirst: true });
  };
  const addFiles = async () => {
    for (const [index, file] of files.entries()) {
      const source = join(folder, `source ${index}`);
      writeFileSync(source, file);
      await writer.addFile(source, record(file.length), file.length);
    }
  };
  await Promise.all([addMessages(), addFiles()]);
  const { messages } = await writer.finish(FACTS, () => undefined);
  expect(messages).toBe(20);
  const backup = await BackupFile.open(path);
  const manifest = await backup.unlock(key);
  expect(manifest.history.map(({ range }) => range)).toEqual(texts.map((_, range) => range));
  const [firstPiece, lastText] = [manifest.files[0]?.pieces[0]?.at ?? 0, manifest.history.at(-1)?.at ?? 0];
  expect(firstPiece).toBeLessThan(lastText);
  const contents: Buffer[] = [];
  for (let block = 0; block < 29; block++) contents.push(await backup.read(block));
  await backup.close();
  expect(Buffer.concat(contents).equals(Buffer.concat([...texts, ...files]))).toBe(true);
});

test.each<[string, (at: number) => number | null]>([
  ['one byte later', (at) => at + 1],
  ['in the place of another one', () => 0],
  ['in no place', () => null],
])('a manifest with a block %s is refused', async (_, moved) => {
  const { folder } = await begun();
  const path = join(folder, 'moved.waxwing-backup');
  const { key, header } = await newBackupKey({ passphrase: null, walletKey: randomBytes(32) });
  const keys = contentKeys(key);
  const start = headerBytes(header);
  const block = (text: string, before: number) => {
    const contents = Buffer.from(text);
    const name = nameOf(keys, contents);
    const sealed = Buffer.alloc(sealedBytes({ bytes: contents.length }));
    sealBlock(keys, contents, name, sealed);
    return { sealed, name: encodeBase64Url(name), bytes: contents.length, at: start.length + before };
  };
  const one = block('one', 0);
  const two = block('two', one.sealed.length);
  const written = (at: number | null) => {
    const people = [one, { ...two, at }].map(({ sealed, ...entry }) => entry);
    const manifest: Manifest = {
      ...{ version: 1, id: header.id, blocks: 'file', ...FACTS, messages: 0, fileBytes: 0 },
      ...{ people, history: [], files: [], unused: [] },
    };
    const blocks = Buffer.concat([one.sealed, two.sealed]);
    const end = manifestBytes(keys, manifest, start, start.length + blocks.length);
    writeFileSync(path, Buffer.concat([start, blocks, end]));
  };
  const unlocked = async () => {
    const backup = await BackupFile.open(path);
    try {
      return await backup.unlock(key);
    } finally {
      await backup.close();
    }
  };
  written(two.at);
  expect((await unlocked()).people).toHaveLength(2);
  written(moved(two.at));
  await expect(unlocked()).rejects.toMatchObject({ code: 'backup_damaged' });
});

test.each<[string, number | null]>([
  ['shorter than expected', BLOCK_BYTES + 7],
  ['shorter by whole pieces', BLOCK_BYTES],
  ['empty', 0],
  ['not there', null],
])('a file that is %s is left out, and the others are read back', async (_, length) => {
  const { folder, path, key, writer } = await begun();
  const whole = randomBytes(BLOCK_BYTES + 9);
  const [source, other] = [join(folder, 'source'), join(folder, 'other')];
  writeFileSync(source, whole);
  if (length !== null) writeFileSync(other, randomBytes(length));
  expect(await writer.addFile(other, record(1), 3 * BLOCK_BYTES)).toBe(false);
  expect(await writer.addFile(source, record(2), whole.length)).toBe(true);
  await writer.finish(FACTS, () => undefined);
  const backup = await BackupFile.open(path);
  const manifest = await backup.unlock(key);
  expect(manifest.files.map(({ file }) => file.size)).toEqual([2]);
  await backup.verify(() => undefined);
  const pieces: Buffer[] = [];
  for await (const piece of backup.readAll(0, 2)) pieces.push(Buffer.from(piece));
  await backup.close();
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
});
