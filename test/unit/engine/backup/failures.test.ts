/** Failures of one of the works of a backup, which run at the same time. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupFunctions } from '../../../../src/engine/archive/thread.ts';
import { putFiles } from '../../../support/backups.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { deviceWith, PHRASE, SOME } from './backup.ts';

const PART = { range: 0, messages: 1, isFirst: true };
const FILE = { type: 'file', key: 'a', digest: 'b', size: 1, mediaType: null } as const;

// Windows cannot open a folder.
const isWindows = process.platform === 'win32';

test.skipIf(isWindows)('the first failure is that of all calls of the backup, until its end', async () => {
  using target = temporaryFolder();
  const store = { path: () => target.path, takeRoom: async () => undefined, releaseRoom() {} };
  const functions = backupFunctions(store, () => undefined);
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
  const store = { path: () => target.path, takeRoom: async () => undefined, releaseRoom() {} };
  const functions = backupFunctions(store, () => undefined);
  await functions.beginBackup(join(target.path, 'a.waxwing-backup'), PHRASE);
  const first = functions.endBackup();
  await functions.endBackup();
  expect(readdirSync(target.path)).toEqual([]);
  await first;
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
