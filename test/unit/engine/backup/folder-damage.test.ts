/** Automatic backups in a folder that is damaged, full, or written by another person. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../../support/backups.ts';
import { FolderComputer as Computer, DAY, PHRASE, SOME, text } from '../../../support/folder-backups.ts';
import { setFull } from '../../../support/full-disk.ts';
import { openAnn } from '../../../support/history.ts';

test('an older copy of the folder is completed from the whole history', async () => {
  await using computer = await new Computer(SOME).begin();
  const [first = ''] = computer.manifests();
  const blocks = new Set(computer.blocks());
  computer.write([text('Two')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  // Like a drive that returns an older state.
  for (const name of computer.manifests()) if (name !== first) rmSync(join(computer.path, name));
  for (const path of computer.blocks()) if (!blocks.has(path)) rmSync(path);
  computer.write([text('Three')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a damaged block of a backup that did not end is written again', async () => {
  await using computer = await new Computer(SOME).begin();
  const [manifest = ''] = computer.manifests();
  // Without its manifest, nothing has verified the blocks.
  rmSync(join(computer.path, manifest));
  for (const path of computer.blocks()) writeFileSync(path, readFileSync(path).subarray(0, -1));
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test.each([
  ['before anything is merged', 'backup_damaged', 0],
  ['after a part is merged', 'backup_damaged_in_part', 1],
] as const)('damage of a backup that is found %s is reported as %s', async (_, code, parts) => {
  await using computer = await new Computer(SOME).begin();
  await using target = backUp(openAnn(() => computer.clock));
  const { backups, device } = target;
  const { backupRows } = device.context;
  const damage = () => {
    for (const path of computer.blocks()) writeFileSync(path, readFileSync(path).subarray(0, -1));
  };
  const begin = backupRows.beginRestore.bind(backupRows);
  const set = backupRows.setRestored.bind(backupRows);
  backupRows.beginRestore = (stored) => {
    begin(stored);
    if (parts === 0) damage();
  };
  backupRows.setRestored = (done) => {
    set(done);
    damage();
  };
  await expect(backups.restore(computer.parent, PHRASE)).rejects.toMatchObject({ code });
  expect(backups.state).toMatchObject({ isRestoreOpen: true, problem: { code } });
  expect(backupRows.restore()?.done ?? 0).toBe(parts);
  // The next attempt, and the next start, find the same.
  await expect(backups.restore(computer.parent, PHRASE)).rejects.toMatchObject({ code });
  await backups.resume();
  expect(backups.state.problem).toMatchObject({ code });
});

test('a restore from a folder that a new start continues has the number of newer backups that could not be opened', async () => {
  await using computer = await new Computer(SOME).begin();
  const { clock: at } = computer;
  computer.write([text('Later')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  const newest = join(computer.path, computer.manifests().at(-1) ?? '');
  writeFileSync(newest, readFileSync(newest).subarray(0, -1));
  const target = backUp(openAnn(() => computer.clock));
  const { device } = target;
  const { backupRows } = device.context;
  const set = backupRows.setRestored.bind(backupRows);
  backupRows.setRestored = (progress) => {
    set(progress);
    target.backups.close();
  };
  const restored = target.backups.restore(computer.parent, PHRASE);
  await expect(restored).rejects.toMatchObject({ code: 'backup_stopped' });
  await target.killThread();
  backupRows.setRestored = set;
  await using later = backUp(device);
  await later.backups.resume();
  expect(later.backups.state).toMatchObject({ resumed: { at, skipped: 1 }, problem: null });
});

test('a full disk of the folder or of a file is not reported as that of this computer', async () => {
  const thread = new URL('../../../support/full-disk-thread.ts', import.meta.url);
  await using computer = await new Computer(SOME, thread).begin();
  const before = computer.manifests();
  computer.write([text('Later')]);
  await setFull(true, 1);
  expect(await computer.make()).toBe('backup_no_room');
  const file = join(computer.parent, 'one.waxwing-backup');
  await expect(computer.backed.backups.make(file, PHRASE)).rejects.toMatchObject({ code: 'backup_no_room' });
  expect(existsSync(file)).toBe(false);
  expect(computer.manifests()).toEqual(before);
  await setFull(false, 1);
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});
