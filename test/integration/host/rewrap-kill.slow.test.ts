import { expect, test } from 'vitest';
import { DataKey } from '../../../src/host/keys/data-key.ts';
import { FileKeyStore } from '../../support/file-key-store.ts';
import { killAtEveryStep, opened } from './rewrap-kill.ts';

test('C9: after a kill at any write of a new key store wrap, the old or the new one opens', async () => {
  const open = (folder: string) => {
    const store = new FileKeyStore(`${folder}-store`);
    return opened(new DataKey({ folder, findStore: async () => store, mayBePlain: false }));
  };
  expect(await killAtEveryStep('store', open, open)).toBeGreaterThanOrEqual(9);
});
