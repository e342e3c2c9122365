/** Backup files: created from one cache, and restored into another one. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { backUp, putFiles } from '../../../support/backups.ts';
import { openDevice } from '../../../support/cached-device.ts';
import { acts, ben, chain, LATER, seenIn } from '../../../support/history.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { runs } from '../../../support/runs.ts';
import { deviceWith, folder, newPath, PHRASE, SOME } from './backup.ts';

const CASES = runs({ quick: 3, all: 50, nightly: 500 });

afterAll(() => rmSync(folder, { recursive: true }));

test('a random history is restored from its backup', { timeout: LONG_TEST_LIMIT }, async () => {
  await fc.assert(
    fc.asyncProperty(
      acts.map((all) => all.filter((act) => act.is !== 'unsent' && !('expires' in act && act.expires))),
      async (all) => {
        await using source = deviceWith(all);
        await using target = deviceWith([]);
        const bytes = randomBytes(5_000);
        const ids = putFiles(source.device, () => bytes);
        const path = newPath();
        const made = await source.backups.make(path, PHRASE);
        expect(made).toEqual({ at: LATER, bytes: statSync(path).size, missingFiles: 0 });
        expect(source.backups.state).toMatchObject({ last: made, progress: null, problem: null });
        await target.backups.restore(path, PHRASE);
        expect(seenIn(target.device.context)).toEqual(seenIn(source.device.context));
        expect(target.fileNames()).toHaveLength(ids.length);
        for (const name of target.fileNames())
          expect(readFileSync(join(target.device.folder, 'files', name)).equals(bytes)).toBe(true);
        expect(target.backups.state).toMatchObject({ progress: null, problem: null, isRestoreOpen: false });
      },
    ),
    { numRuns: CASES },
  );
});

test('a backup of another account is refused', async () => {
  await using source = deviceWith(SOME);
  await using other = backUp(openDevice(ben.address, chain, () => LATER));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const before = seenIn(other.device.context);
  await expect(other.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_of_other' });
  expect(seenIn(other.device.context)).toEqual(before);
});

test('an interrupted restore continues where it was', async () => {
  await using source = deviceWith(SOME);
  putFiles(source.device, () => randomBytes(3_000));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const target = deviceWith([]);
  const { device } = target;
  // The first block is merged, then the program ends.
  const set = device.context.backupRows.setRestored.bind(device.context.backupRows);
  device.context.backupRows.setRestored = (progress) => {
    set(progress);
    target.backups.close();
  };
  await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_stopped' });
  await target.killThread();
  expect(device.context.backupRows.restore()).toMatchObject({ path, done: 1 });
  device.context.backupRows.setRestored = set;
  await using later = backUp(device);
  await later.backups.resume();
  expect(seenIn(device.context)).toEqual(seenIn(source.device.context));
  expect(later.fileNames()).toHaveLength(1);
  expect(later.backups.state.isRestoreOpen).toBe(false);
});
