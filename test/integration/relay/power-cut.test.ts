/** The relay's file after a power cut: all that was confirmed is on the disk. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/relay/store/records.ts';
import { openSqliteStore } from '../../../src/relay/store/sqlite/store.ts';
import { temporaryFolder } from '../../support/engine.ts';

const ADDRESS = `0x${'11'.repeat(20)}`;
const WORKER = new URL('../../support/watched-sync-thread.ts', import.meta.url);

async function openWatched(folder: string) {
  const failures: string[] = [];
  const store = await openSqliteStore({
    dataDirectory: folder,
    worker: WORKER,
    queueBytes: 1e9,
    onBroken: (reason) => void failures.push(reason),
  });
  const save = (nonce: string) =>
    store.saveChallenge({ nonce, address: ADDRESS, issuedAt: 1, expiresAt: 2 }, null, 1);
  return { store, save, failures };
}

/** The nonces in a database. */
function noncesIn(folder: string): Set<string> {
  const database = new Database(join(folder, 'relay.db'), { fileMustExist: true });
  const nonces = database.prepare('SELECT nonce FROM challenge').pluck().all() as string[];
  database.close();
  return new Set(nonces);
}

/** The nonces on the disk, if the power failed now. */
function noncesAfterPowerCut(folder: string): Set<string> {
  return noncesIn(join(folder, `disk ${readFileSync(join(folder, 'synced'), 'utf8')}`));
}

test('a write is confirmed only when it is on the disk, also beside other writes', async () => {
  using folder = temporaryFolder();
  const { store, save } = await openWatched(folder.path);
  const confirmed: string[] = [];
  const lost: string[] = [];
  const writeOn = async (lane: number) => {
    for (let index = 0; index < 10; index++) {
      const nonce = `${lane} ${index}`;
      await save(nonce);
      confirmed.push(nonce);
      if (!noncesAfterPowerCut(folder.path).has(nonce)) lost.push(nonce);
    }
  };
  await Promise.all([0, 1, 2, 3].map(writeOn));
  await store.close();
  expect(confirmed).toHaveLength(40);
  expect(lost).toEqual([]);
});

test('the next transaction runs while the disk syncs the previous one', async () => {
  using folder = temporaryFolder();
  const { store, save } = await openWatched(folder.path);
  const wait = join(folder.path, 'wait');
  writeFileSync(wait, '');
  const confirmed: string[] = [];
  const first = save('first').then(() => confirmed.push('first'));
  await expect.poll(() => noncesIn(folder.path)).toContain('first');
  const second = save('second').then(() => {
    confirmed.push('second');
    return noncesAfterPowerCut(folder.path);
  });
  await expect.poll(() => noncesIn(folder.path)).toContain('second');
  expect(confirmed).toEqual([]);
  rmSync(wait);
  await first;
  expect(await second).toContain('second');
  expect(confirmed).toEqual(['first', 'second']);
  await store.close();
});

test('a repeated write that is only read is confirmed when the first one is on the disk', async () => {
  using folder = temporaryFolder();
  const { store, save } = await openWatched(folder.path);
  const wait = join(folder.path, 'wait');
  writeFileSync(wait, '');
  const first = save('first');
  await expect.poll(() => noncesIn(folder.path)).toContain('first');
  const settled: string[] = [];
  const repeated = store.settle().then(() => {
    settled.push('repeated');
    return noncesAfterPowerCut(folder.path);
  });
  const second = save('second');
  await expect.poll(() => noncesIn(folder.path)).toContain('second');
  expect(settled).toEqual([]);
  rmSync(wait);
  expect(await repeated).toContain('first');
  await Promise.all([first, second]);
  await store.settle();
  await store.close();
});

test('commits that a killed relay left are synced before the first read', async () => {
  using folder = temporaryFolder();
  const { store, save } = await openWatched(folder.path);
  await save('first');
  const crashed = join(folder.path, 'crashed');
  mkdirSync(crashed);
  for (const name of ['relay.db', 'relay.db-wal']) copyFileSync(join(folder.path, name), join(crashed, name));
  await store.close();
  const again = await openWatched(crashed);
  expect(noncesAfterPowerCut(crashed)).toContain('first');
  await again.store.close();
});

test('a failed sync confirms nothing and ends all writing', async () => {
  using folder = temporaryFolder();
  const { store, save, failures } = await openWatched(folder.path);
  await save('before');
  writeFileSync(join(folder.path, 'broken'), '');
  const results = await Promise.allSettled([save('during'), save('during, too')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(save('after')).rejects.toThrow(StoreUnavailable);
  await expect(store.settle()).rejects.toThrow(StoreUnavailable);
  expect(failures).toEqual(['EIO: fdatasync of the log']);
  await store.close();
});

test('a write is synced under Node’s permission model, as in the systemd unit', async () => {
  using folder = temporaryFolder();
  const source = `
    import { openSqliteStore } from '${new URL('../../../src/relay/store/sqlite/store.ts', import.meta.url)}';
    const onBroken = (reason) => console.error(reason);
    const store = await openSqliteStore({ dataDirectory: process.argv[2], queueBytes: 1e9, onBroken });
    const challenge = { nonce: 'confined', address: '${ADDRESS}', issuedAt: 1, expiresAt: 2 };
    await store.saveChallenge(challenge, null, 1);
    await store.close();`;
  const data = realpathSync(folder.path);
  const program = join(data, 'program.mjs');
  writeFileSync(program, source);
  const permissions = ['--permission', '--allow-addons', '--allow-worker', '--allow-fs-read=*'];
  await promisify(execFile)(process.execPath, [...permissions, `--allow-fs-write=${data}`, program, data]);
  expect(noncesIn(folder.path)).toContain('confined');
});
