/** Readers of a download, in the file thread. */
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { FileThread } from '../../../../src/engine/files/thread.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const folder = temporaryFolder();
const thread = new FileThread(
  new URL('../../../../src/engine/files/worker.ts', import.meta.url),
  folder.path,
  {
    token: () => Promise.reject(new Error('no relay')),
    proxyFor: async () => ({ ok: true, value: null }),
    progress: () => undefined,
    verified: () => undefined,
  },
);
afterAll(async () => {
  await thread.close();
  folder[Symbol.dispose]();
});

test('C11: a reader that begins just before its download is stopped ends with it', async () => {
  const file = { id: 1, key: randomBytes(32), digest: randomBytes(32), size: 1_000_000 };
  const reading = thread.call((functions) => functions.readArriving(file, 0, 16));
  const refused = expect(reading).rejects.toMatchObject({ code: 'file_missing' });
  await thread.order((functions) => functions.stop(file.id));
  await refused;
});
