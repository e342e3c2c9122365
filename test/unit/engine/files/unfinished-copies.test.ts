/** Unfinished copies: those of a killed program are removed, and nothing else. */
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnfinishedCopies } from '../../../../src/engine/files/unfinished-copies.ts';
import { temporaryFolder } from '../../../support/engine.ts';

test('the next start removes the copy of a killed program, and nothing else', async () => {
  using data = temporaryFolder();
  using person = temporaryFolder();
  const folder = join(data.path, 'files');
  const notes = join(data.path, 'unfinished-copies');
  const copies = new UnfinishedCopies(folder);
  await copies.removeUnfinished();
  const left = copies.begin(join(person.path, 'report.pdf'));
  expect(existsSync(left)).toBe(false);
  writeFileSync(left, 'plain');
  const finished = copies.begin(join(person.path, 'other.pdf'));
  writeFileSync(finished, 'kept');
  copies.end(finished);
  const mine = join(person.path, '.waxwing-mine.partial');
  writeFileSync(mine, 'mine');
  // Notes that name other files, also by the name of a copy: changed, cut, or of a folder.
  writeFileSync(join(notes, 'AAAAAAAAAAAA'), mine);
  writeFileSync(join(notes, 'BBBBBBBBBBBB'), finished);
  writeFileSync(join(notes, 'CCCCCCCCCCCC'), '');
  const inner = join(person.path, '.waxwing-DDDDDDDDDDDD.partial');
  mkdirSync(inner);
  writeFileSync(join(notes, 'DDDDDDDDDDDD'), inner);
  const link = join(person.path, '.waxwing-EEEEEEEEEEEE.partial');
  symlinkSync(mine, link);
  writeFileSync(join(notes, 'EEEEEEEEEEEE'), link);

  await new UnfinishedCopies(folder).removeUnfinished();
  expect(existsSync(left)).toBe(false);
  for (const each of [finished, mine, inner, link]) expect(existsSync(each), each).toBe(true);
  expect(readdirSync(notes)).toEqual([]);
});

test('the copy of a disk that is away is removed at the start at which the disk is back', async () => {
  using person = temporaryFolder();
  using data = temporaryFolder();
  const folder = join(data.path, 'files');
  const disk = join(person.path, 'disk');
  mkdirSync(disk);
  const partial = new UnfinishedCopies(folder).begin(join(disk, 'a.waxwing-backup'));
  writeFileSync(partial, 'a part');
  renameSync(disk, `${disk} away`);
  await new UnfinishedCopies(folder).removeUnfinished();
  renameSync(`${disk} away`, disk);
  await new UnfinishedCopies(folder).removeUnfinished();
  expect(readdirSync(disk)).toEqual([]);
  expect(new UnfinishedCopies(folder).hasUnfinished).toBe(false);
});
