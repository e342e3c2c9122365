import { readdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { readBlob, storedFiles, uploadBlob } from '../../support/test-blob.ts';
import { DAY, leave } from './blob-leftovers.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });

beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('bytes of a crash are removed at the next start, except known ones and those younger than a day', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  const { token } = await newPerson(own);
  const root = join(own.folder.path, 'blobs');
  const blob = await uploadBlob(own, token);
  const [known = ''] = storedFiles(own);
  const folder = dirname(known);
  utimesSync(join(root, known), 0, 0);
  leave(join(root, folder, '0-2'), 2 * DAY);
  leave(join(root, folder, '0-3.partial'), 2 * DAY);
  leave(join(root, folder, '0-4'), DAY / 2);
  leave(join(root, 'ab', 'cd', `abcd${'0'.repeat(28)}`, '0-1'), 2 * DAY);
  await own.stop();
  await own.start();
  await expect.poll(() => storedFiles(own)).toEqual([known, join(folder, '0-4')].sort());
  await expect.poll(() => readdirSync(join(root, 'ab', 'cd'))).toEqual([]);
  expect((await readBlob(own, token, blob.id)).bytes.equals(blob.bytes)).toBe(true);
});
