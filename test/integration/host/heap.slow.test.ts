import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DataKey } from '../../../src/host/keys/data-key.ts';
import { setUp, temporaryFolder } from '../../support/engine.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import { TestRelay } from '../../support/relay.ts';
import { testSession } from '../../support/session.ts';

const PROGRAM = fileURLToPath(new URL('../../support/locking-process.ts', import.meta.url));
const PASSPHRASE = 'a passphrase for a test';
const CANARY = 'canary_in_the_heap';

// The program that is examined runs without the cheap scrypt of tests.
payFullScrypt();

test('C16: after locking, the heap of the process has neither the key nor data read with it', async () => {
  await using relay = await new TestRelay().start();
  using folder = temporaryFolder();
  const session = testSession(folder.path, { mayBePlain: false, relay: relay.url });
  await session.start(PASSPHRASE);
  await setUp(session, CANARY);
  await session.lock();
  await session.close();
  const opener = new DataKey({ folder: folder.path, findStore: async () => null, mayBePlain: false });
  const key = await opener.openByPassphrase(PASSPHRASE);

  const heapAfter = (...rest: string[]) => {
    const file = join(folder.path, 'after.heapsnapshot');
    const args = [PROGRAM, folder.path, PASSPHRASE, file, relay.url, ...rest];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(file);
  };
  const control = heapAfter('hold');
  expect(control.includes(CANARY), 'what is held would be found').toBe(true);
  const heap = heapAfter();
  expect(heap.includes(CANARY)).toBe(false);
  for (const form of [key, key.toString('hex'), key.toString('base64')])
    expect(heap.includes(form)).toBe(false);
});
