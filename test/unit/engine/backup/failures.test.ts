/** Failures of one of the works of a backup, which run at the same time. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupFunctions } from '../../../../src/engine/archive/thread.ts';
import { UnfinishedCopies } from '../../../../src/engine/files/unfinished-copies.ts';
import { putFiles } from '../../../support/backups.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { ann } from '../../../support/history.ts';
import { deviceWith, PHRASE, SOME } from './backup.ts';

const PART = { range: 0, messages: 1, isFirst: true };
const FILE = { type: 'file', key: 'a', digest: 'b', size: 1 } as const;

/** @param path of each file @param data folder of the engine */
function functionsOf(path: string, data: string) {
  const store = {
    path: () => path,
    takeRoom: async () => undefined,
    releaseRoom() {},
    mediaType: async () => 'image/png',
  };
  const copies = new UnfinishedCopies(join(data, 'files'));
  return { functions: backupFunctions(store, copies, () => undefined), copies };
}

// Windows cannot open a folder.
const isWindows = process.platform === 'win32';

test.skipIf(isWindows)('the first failure is that of all calls of the backup, until its end', async () => {
  using target = temporaryFolder();
  using data = temporaryFolder();
  const { functions } = functionsOf(target.path, data.path);
  const begin = () => functions.beginBackup(join(target.path, 'a.waxwing-backup'), PHRASE);
  const lines = new Uint8Array(2_000_000);
  expect(await begin()).toMatchObject({ ok: true });
  // A folder in the place of the file.
  const answers = await Promise.all([
    functions.backUpFile(1, FILE, 1),
    functions.backUpMessages(lines, PART),
  ]);
  expect(answers[0]).toMatchObject({ ok: false, failure: { code: 'file_unsaved' } });
  expect(await functions.backUpMessages(lines, PART)).toEqual(answers[0]);
  expect(readdirSync(target.path)).toEqual([]);
  await functions.endBackup();
  expect(await functions.backUpMessages(lines, PART)).toMatchObject({ failure: { code: 'backup_stopped' } });
  expect(await begin()).toMatchObject({ ok: true });
  expect(await functions.backUpMessages(lines, PART)).toMatchObject({ ok: true });
  await functions.endBackup();
});

test('a second end of a backup waits for the first one, and no file is left', async () => {
  using target = temporaryFolder();
  using data = temporaryFolder();
  const { functions } = functionsOf(target.path, data.path);
  await functions.beginBackup(join(target.path, 'a.waxwing-backup'), PHRASE);
  const first = functions.endBackup();
  await functions.endBackup();
  expect(readdirSync(target.path)).toEqual([]);
  await first;
});

test.each<[string, (path: string) => void]>([
  ['is gone', (path) => rmSync(path)],
  ['has other bytes than were written', (path) => writeFileSync(path, 'other', { flag: 'r+' })],
])('a backup that %s when it is verified is reported as unsaved', async (_, spoil) => {
  using target = temporaryFolder();
  using data = temporaryFolder();
  const { functions } = functionsOf(target.path, data.path);
  await functions.beginBackup(join(target.path, 'a.waxwing-backup'), PHRASE);
  const [partial = ''] = readdirSync(target.path);
  spoil(join(target.path, partial));
  expect(await functions.finishBackup({ address: ann.address, at: 0, lastArrival: 0 })).toMatchObject({
    failure: { code: 'file_unsaved' },
  });
  expect(readdirSync(target.path)).toEqual([]);
});

test('the next start removes the remains of a killed backup of any name, and notes are removed with their backups', async () => {
  using target = temporaryFolder();
  using data = temporaryFolder();
  const path = join(target.path, 'Wednesday.waxwing-backup');
  const killed = functionsOf(target.path, data.path);
  await killed.functions.beginBackup(path, PHRASE);
  expect(readdirSync(target.path)).toHaveLength(1);
  const { functions, copies } = functionsOf(target.path, data.path);
  await copies.removeUnfinished();
  expect(readdirSync(target.path)).toEqual([]);
  await killed.functions.endBackup();

  await functions.beginBackup(path, PHRASE);
  expect(copies.hasUnfinished).toBe(true);
  const facts = { address: ann.address, at: 0, lastArrival: 0 };
  expect(await functions.finishBackup(facts)).toMatchObject({ ok: true });
  expect(copies.hasUnfinished).toBe(false);
  await functions.beginBackup(join(target.path, 'absent', 'a.waxwing-backup'), PHRASE);
  await functions.beginBackup(path, PHRASE);
  await functions.endBackup();
  expect(copies.hasUnfinished).toBe(false);
  expect(readdirSync(target.path)).toEqual(['Wednesday.waxwing-backup']);
});

test.skipIf(isWindows)(
  'a file that cannot be read ends the backup, and another one can be made',
  async () => {
    using target = temporaryFolder();
    await using source = deviceWith(SOME);
    const [id = 0] = putFiles(source.device, () => new Uint8Array(10));
    const file = join(source.device.folder, 'files', String(id));
    rmSync(file);
    mkdirSync(file);
    const path = join(target.path, 'a.waxwing-backup');
    await expect(source.backups.make(path, PHRASE)).rejects.toMatchObject({ code: 'file_unsaved' });
    expect(source.backups.state).toMatchObject({ progress: null, problem: { code: 'file_unsaved' } });
    expect(readdirSync(target.path)).toEqual([]);
    rmSync(file, { recursive: true });
    await source.backups.make(path, PHRASE);
    expect(source.backups.state.problem).toBeNull();
  },
);
