import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { AutomaticBackups } from '../../../../src/engine/backup/automatic.ts';
import { putFiles } from '../../../support/backups.ts';
import {
  FolderComputer as Computer,
  DAY,
  lasting,
  PHRASE,
  SOME,
  text,
} from '../../../support/folder-backups.ts';
import { type Act, LATER } from '../../../support/history.ts';

test('a backup restores its state, after changes of each kind', async () => {
  await using computer = await new Computer(SOME).begin();
  const [changes = []] = fc.sample(lasting, { seed: 7, numRuns: 1 });
  computer.write(changes);
  putFiles(computer.device, () => randomBytes(5_000));
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a folder that is away, refused by the system or replaced is a later try, and nothing is lost', async () => {
  await using computer = await new Computer(SOME).begin();
  const { path, parent } = computer;
  computer.write([text('Written meanwhile')]);
  // The mount point of the drive exists, without its contents.
  renameSync(parent, `${parent}-away`);
  mkdirSync(parent);
  expect(await computer.make()).toBe('backup_folder_away');
  expect(readdirSync(parent)).toEqual([]);
  rmSync(parent, { recursive: true });
  expect(await computer.make()).toBe('backup_folder_away');
  renameSync(`${parent}-away`, parent);
  expect(await computer.make()).toBeUndefined();
  // Folders in the places of blocks: the system refuses to replace them, also for an administrator.
  const [block = ''] = computer.blocks();
  for (const each of computer.blocks()) {
    rmSync(each);
    mkdirSync(each);
  }
  expect(await computer.make()).toBe('backup_folder_unwritable');
  for (const each of readdirSync(dirname(block))) rmSync(join(dirname(block), each), { recursive: true });
  // A file is in the place of the folder of blocks.
  rmSync(join(path, 'blocks'), { recursive: true });
  writeFileSync(join(path, 'blocks'), 'x');
  expect(await computer.make()).toBe('backup_folder_changed');
  rmSync(join(path, 'blocks'));
  mkdirSync(join(path, 'blocks'));
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test('a stopped backup ends with its files, and the next one is complete', async () => {
  const files = Array.from({ length: 12 }, (_, number) => ({
    ...{ is: 'file', chat: 'group', by: 1, name: `${number}.mp4`, size: 3_000 },
  })) as Act[];
  await using computer = new Computer(files);
  putFiles(computer.device, () => randomBytes(5_000_000));
  const { backups } = computer.backed;
  await backups.setFolder(computer.parent, PHRASE);
  const making = backups.makeInFolder();
  await vi.waitFor(() => expect(computer.blocks().length).toBeGreaterThan(3), { interval: 1 });
  await backups.stop();
  await making;
  const stopped = computer.blocks();
  expect(stopped.length).toBeLessThan(2 * files.length);
  expect(backups.state).toMatchObject({ progress: null, folder: { at: null, problem: null } });
  expect(await computer.make()).toBeUndefined();
  expect(backups.state).toMatchObject({ progress: null, folder: { at: computer.clock } });
  const complete = stopped.filter((path) => !path.endsWith('.partial'));
  expect(computer.blocks()).toEqual(expect.arrayContaining(complete));
  expect(await computer.restored()).toEqual(computer.seen());
});

test('the backups of another computer in the same folder stay unchanged', async () => {
  await using one = await new Computer(SOME).begin();
  await using other = await new Computer([text('Elsewhere')]).begin();
  const [name = ''] = other.manifests();
  const foreign = readFileSync(join(other.path, name));
  writeFileSync(join(one.path, name.replace(/\d{8}(?=\.)/, '00000099')), foreign);
  const before = [one.manifests(), one.blocks()];
  one.write([text('More')]);
  expect(await one.make()).toBe('backup_folder_changed');
  expect([one.manifests(), one.blocks()]).toEqual(before);
  // The same for an older manifest.
  rmSync(join(one.path, one.manifests().at(-1) ?? ''));
  writeFileSync(join(one.path, name.replace(/\d{8}(?=\.)/, '00000000')), foreign);
  expect(await one.make()).toBe('backup_folder_changed');
});

test('a folder that is chosen while other work runs gets its first backup after it', async () => {
  await using computer = new Computer(SOME);
  const { backups } = computer.backed;
  const automatic = new AutomaticBackups(computer.device.context, backups);
  const other = backups.make(join(computer.parent, 'one.waxwing-backup'), PHRASE);
  await backups.setFolder(computer.parent, PHRASE);
  await automatic.makeNow();
  await other;
  expect(backups.state.folder?.at).toBeNull();
  await automatic.check();
  expect(backups.state.folder?.at).toBe(computer.clock);
});

test('the remains of a killed backup are removed, and its blocks are used', async () => {
  await using computer = await new Computer(SOME).begin();
  const [block = ''] = computer.blocks();
  const left = [
    join(computer.path, '.0123456789abcdef.partial'),
    join(block, '..', '.fedcba9876543210.partial'),
  ];
  for (const path of left) writeFileSync(path, 'x');
  expect(await computer.make()).toBeUndefined();
  for (const path of left) expect(existsSync(path)).toBe(false);
});

test('a backup is made each day, each hour after a failure, and the state has its time', async () => {
  await using computer = new Computer(SOME);
  const { backups } = computer.backed;
  await backups.setFolder(computer.parent, PHRASE);
  const made: number[] = [];
  const setBackedUp = computer.device.context.backupRows.setBackedUp.bind(computer.device.context.backupRows);
  computer.device.context.backupRows.setBackedUp = (digest, at) => {
    made.push((at - LATER) / (60 * 60 * 1000));
    setBackedUp(digest, at);
  };
  const automatic = new AutomaticBackups(computer.device.context, backups);
  const hours = async (from: number, to: number) => {
    for (let hour = from; hour < to; hour += 0.5) {
      computer.clock = LATER + hour * 60 * 60 * 1000;
      await automatic.check();
    }
  };
  await hours(0, 40);
  expect(made).toEqual([0, 24]);
  renameSync(computer.parent, `${computer.parent}-away`);
  await hours(40, 50);
  expect(backups.state).toMatchObject({ folder: { problem: { code: 'backup_folder_away' } }, problem: null });
  renameSync(`${computer.parent}-away`, computer.parent);
  await hours(50, 60);
  expect(made).toEqual([0, 24, 50]);
  expect(backups.state).toMatchObject({
    folder: { problem: null, at: LATER + 50 * 60 * 60 * 1000 },
    last: { at: LATER + 50 * 60 * 60 * 1000 },
  });
  await backups.endFolder();
  expect(backups.state.folder).toBeNull();
  await hours(60, 100);
  expect(made).toHaveLength(3);
});
