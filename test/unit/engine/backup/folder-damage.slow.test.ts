/** Automatic backups in a folder that is damaged, full, or written by another person. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { blockPath } from '../../../../src/archive/folder-names.ts';
import { blocksOf } from '../../../../src/archive/form.ts';
import { openNewest } from '../../../../src/archive/open-newest.ts';
import { putFiles } from '../../../support/backups.ts';
import { FolderComputer as Computer, DAY, PHRASE, SOME, text } from '../../../support/folder-backups.ts';
import { runs } from '../../../support/runs.ts';

test('a flipped bit or a missing file is refused, or the backup before it is opened', async () => {
  await using computer = await new Computer(SOME).begin();
  putFiles(computer.device, () => randomBytes(3_000));
  expect(await computer.make()).toBeUndefined();
  const older = computer.clock;
  computer.write([text('Later')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  const last = join(computer.path, computer.manifests().at(-1) ?? '');
  /** Time of the backup that a restore uses, or the code of its refusal. */
  const opened = async () => {
    try {
      const { file, manifest, skipped } = await openNewest(computer.parent, PHRASE, computer.device.own);
      await file.verify(() => undefined).finally(() => file.close());
      return { at: manifest.at, skipped };
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  expect(await opened()).toEqual({ at: computer.clock, skipped: 0 });
  const read = await openNewest(computer.parent, PHRASE, computer.device.own);
  await read.file.close();
  const used = new Set(blocksOf(read.manifest).map(({ name }) => blockPath(computer.path, name)));
  const step = runs({ quick: 97, all: 23, nightly: 3 });
  for (const path of [...used, last]) {
    const refused = path === last ? { at: older, skipped: 1 } : 'backup_damaged';
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += step) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, bytes);
      expect(await opened(), `a flip at ${at} of ${path}`).toEqual(refused);
    }
    for (const bytes of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('x')])]) {
      writeFileSync(path, bytes);
      expect(await opened()).toEqual(refused);
    }
    rmSync(path);
    expect(await opened()).toEqual(path === last ? { at: older, skipped: 0 } : refused);
    writeFileSync(path, whole);
  }
  // Two blocks in each other's places.
  const [one = '', other = ''] = used;
  renameSync(one, `${one}.x`);
  writeFileSync(one, readFileSync(other));
  expect(await opened()).toBe('backup_damaged');
});

test('a damaged or missing block is written again, and so is a damaged manifest', async () => {
  await using computer = await new Computer(SOME).begin();
  putFiles(computer.device, () => randomBytes(3_000));
  expect(await computer.make()).toBeUndefined();
  for (const path of computer.blocks()) {
    const bytes = readFileSync(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
  for (const path of computer.blocks()) rmSync(path);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
  const newest = join(computer.path, computer.manifests().at(-1) ?? '');
  writeFileSync(newest, readFileSync(newest).subarray(0, -10));
  computer.write([text('After the damage')]);
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

test.skipIf(process.platform === 'win32')(
  'links, pipes and folders that another person puts into the folder lead nowhere',
  async () => {
    await using computer = await new Computer(SOME).begin();
    const { path, parent } = computer;
    const [block = ''] = computer.blocks();
    // Like data of a program that names files by their digests.
    const elsewhere = join(parent, 'elsewhere');
    mkdirSync(elsewhere);
    const theirs = join(elsewhere, `${basename(dirname(block))}${'0'.repeat(62)}`);
    writeFileSync(theirs, 'x'.repeat(100));
    writeFileSync(join(elsewhere, '.download.partial'), 'x');
    const before = readdirSync(elsewhere);
    for (const place of [path, join(path, 'blocks'), dirname(block)]) {
      renameSync(place, `${place}-kept`);
      symlinkSync(elsewhere, place);
      expect(await computer.make()).toBe('backup_folder_changed');
      rmSync(place);
      renameSync(`${place}-kept`, place);
    }
    expect(readdirSync(elsewhere)).toEqual(before);
    copyFileSync(theirs, join(dirname(block), basename(theirs)));
    const name = (number: number) => join(path, `2026-01-0${number}T000000Z-0000009${number}.waxwing-backup`);
    mkdirSync(name(1));
    execFileSync('mkfifo', [name(2), join(dirname(block), 'f'.repeat(64))]);
    symlinkSync(join(path, computer.manifests()[0] ?? ''), name(3));
    computer.write([text('Later')]);
    expect(await computer.make()).toBeUndefined();
    expect(existsSync(join(dirname(block), basename(theirs)))).toBe(true);
    expect(await computer.restored()).toEqual(computer.seen());
    // A pipe in the place of a block that a restore reads.
    for (const each of computer.blocks().filter((found) => statSync(found).isFile())) rmSync(each);
    execFileSync('mkfifo', [block]);
    await expect(computer.restored(parent)).rejects.toMatchObject({ code: 'backup_damaged' });
  },
);

test('a disk that returns other bytes than were written is reported, and the next backup is complete', async () => {
  await using computer = await new Computer(SOME).begin();
  computer.write([text('Later')]);
  const { backups, device } = computer.backed;
  const before = new Set(computer.blocks());
  const { emit } = device.context;
  Object.assign(device.context, {
    emit: (...event: Parameters<typeof emit>) => {
      emit(...event);
      if (backups.state.progress?.is !== 'verifying') return;
      for (const path of computer.blocks()) if (!before.has(path)) writeFileSync(path, 'x');
    },
  });
  expect(await computer.make()).toBe('backup_folder_faulty');
  Object.assign(device.context, { emit });
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});
