import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataKey } from '../../../src/host/keys/data-key.ts';
import { killAtEveryStep, opened } from './rewrap-kill.ts';

test('C9: after a kill at any write from a plain key to a passphrase, the old or the new one opens', async () => {
  const key = Buffer.alloc(32, 3);
  const steps = await killAtEveryStep(
    'passphrase',
    async (folder) => {
      writeFileSync(join(folder, 'database.key'), key);
      return key;
    },
    (folder) => opened(new DataKey({ folder, findStore: async () => null, mayBePlain: true })),
  );
  expect(steps).toBeGreaterThanOrEqual(7);
});
