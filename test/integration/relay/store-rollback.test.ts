/** Transactions of the real writer thread that fail: its memory is that of before. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/relay/store/sqlite/store.ts';
import type { Store } from '../../../src/relay/store/store.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newMember, type StoreMember } from '../../support/relay-store.ts';

const open = (dataDirectory: string) =>
  openSqliteStore({
    dataDirectory,
    queueBytes: 1e9,
    worker: new URL('../../support/failing-store-worker.ts', import.meta.url),
    onBroken(reason) {
      throw new Error(reason);
    },
  });

/** The same person at another store of the file. */
const memberAt = (store: Store, member: StoreMember): StoreMember =>
  Object.assign(Object.create(member), { store });

test.each([
  ['on a full disk', 'full', /SQLITE_FULL/],
  ['whose commit is refused', 'commit', /SQLITE_CONSTRAINT/],
])('after a transaction %s, no mail is accepted twice, also of another process', async (_, fails, reason) => {
  using folder = temporaryFolder();
  const [store, other] = [await open(folder.path), await open(folder.path)];
  const [ann, ben] = [await newMember(store, 'ann'), await newMember(store, 'ben')];
  await ann.send(ben, ['first']);
  // The next transaction of the first store reads its hash, and fails.
  await memberAt(other, ann).send(ben, ['elsewhere']);
  const lost = Array.from({ length: 300 }, (_, index) => `lost ${index}`);
  writeFileSync(join(folder.path, 'fails'), fails);
  await expect(ann.send(ben, lost)).rejects.toThrow(reason);
  rmSync(join(folder.path, 'fails'));

  const outcomes = await ann.send(ben, ['first', 'elsewhere', ...lost]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'duplicate',
    'duplicate',
    ...lost.map(() => 'accepted'),
  ]);
  await store.close();
  await other.close();
});
