import { randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderWriter, newBackupFolder } from '../../../src/archive/folder-writer.ts';
import { BLOCK_BYTES } from '../../../src/archive/form.ts';
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
  ...{ size, mediaType: null },
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
  const [whole, other] = [randomBytes(2 * BLOCK_BYTES + 9), randomBytes(500)];
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
    if (args[3] === BLOCK_BYTES) truncateSync(path, BLOCK_BYTES + 5);
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

test('a file that is deleted before it is read is left out', async () => {
  const folder = await newFolder();
  const writer = await FolderWriter.begin(folder, null);
  expect(await writer.addFile(join(folder.path, 'source'), record(1), 10)).toBe(false);
  await writer.finish(FACTS, () => undefined);
  expect(await filesIn(folder.path)).toEqual([]);
});

async function opened(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r');
  await handle.close();
  return handle;
}
