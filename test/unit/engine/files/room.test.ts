/** Room on the disk is taken before bytes are written, and stays free for messages. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FileStore } from '../../../../src/engine/files/store.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const MEBIBYTE = 1024 * 1024;
/** For messages. */
const RESERVE = 64 * MEBIBYTE;

test('two files at once do not take the same room', async () => {
  using folder = temporaryFolder();
  const store = new FileStore(folder.path, async () => RESERVE + 15 * MEBIBYTE);
  const taken = await Promise.allSettled([
    store.takeRoom(1, 10 * MEBIBYTE),
    store.takeRoom(2, 10 * MEBIBYTE),
  ]);
  expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(store.requireRoom(10 * MEBIBYTE)).rejects.toMatchObject({ code: 'disk_full' });
  store.releaseRoom(1);
  await store.takeRoom(2, 10 * MEBIBYTE);
});

test('a download that continues takes room for its missing bytes alone', async () => {
  using folder = temporaryFolder();
  let free = RESERVE + 11 * MEBIBYTE;
  const store = new FileStore(folder.path, async () => free);
  await store.takeRoom(1, 10 * MEBIBYTE);
  writeFileSync(`${store.path(1)}.partial`, Buffer.alloc(8 * MEBIBYTE, 1));
  free -= 8 * MEBIBYTE;
  await expect(store.requireRoom(2 * MEBIBYTE)).rejects.toMatchObject({ code: 'disk_full' });
  store.releaseRoom(1);
  await expect(store.takeRoom(1, 10 * MEBIBYTE)).resolves.toBeUndefined();
});
