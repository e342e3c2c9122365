import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import { startEngine } from '../../../src/engine/start.ts';
import { temporaryFolder } from '../../support/engine.ts';

const support = new URL('../../support/', import.meta.url);

const startWith = (thread: string, folder: { path: string }) =>
  startEngine({
    workers: {
      engine: new URL(thread, support),
      sealing: new URL('../../src/engine/sealing/worker.ts', support),
      files: new URL('../../src/engine/files/worker.ts', support),
    },
    dataDirectory: folder.path,
    databaseKey: randomBytes(32),
    relays: { embedded: null, fixed: 'http://127.0.0.1:9' },
  });

test('a start on a full disk fails with this reason', async () => {
  using folder = temporaryFolder();
  await expect(startWith('full-disk-engine-thread.ts', folder)).rejects.toMatchObject({ code: 'disk_full' });
});

test('records of the log just before a fault that ends the engine are not lost', async () => {
  using folder = temporaryFolder();
  const records: string[] = [];
  logTo(({ event }) => records.push(event));
  const engine = await startWith('failing-engine-thread.ts', folder);
  expect(await engine.call('connection.get', {})).toMatchObject({ failure: { code: 'engine_stopped' } });
  await vi.waitFor(() => expect(records).toContain('test.before_fault'));
  logTo(null);
});
