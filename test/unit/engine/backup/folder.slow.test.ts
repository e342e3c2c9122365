import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openNewest } from '../../../../src/engine/archive/open-newest.ts';
import { putFiles } from '../../../support/backups.ts';
import {
  FolderComputer as Computer,
  DAY,
  lasting,
  PHRASE,
  SOME,
  text,
} from '../../../support/folder-backups.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { repeated, runs } from '../../../support/runs.ts';

const CASES = runs({ quick: 1, all: 50, nightly: 500 });

test('each of several backups restores its state, after random changes', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lasting, { minLength: 2, maxLength: 3 }), async (parts) => {
      await using computer = await new Computer().begin();
      const bytes = randomBytes(5_000);
      for (const part of parts) {
        computer.write(part);
        putFiles(computer.device, () => bytes);
        computer.clock += DAY;
        expect(await computer.make()).toBeUndefined();
        expect(await computer.restored()).toEqual(computer.seen());
      }
    }),
    { ...repeated, numRuns: CASES },
  );
});

test('old backups are removed, with the blocks that only they have', async () => {
  await using computer = await new Computer(SOME).begin();
  for (let day = 0; day < 45; day++) {
    computer.clock += DAY;
    computer.write([text(`Day ${day}`)]);
    expect(await computer.make()).toBeUndefined();
  }
  // Seven days and, before them, three or four weeks.
  expect([10, 11]).toContain(computer.manifests().length);
  // The account, people, messages and no file for each.
  expect(computer.blocks().length).toBeLessThanOrEqual(3 * 11);
  for (const name of computer.manifests()) {
    const { file } = await openNewest(join(computer.path, name), PHRASE, computer.device.own);
    await file.verify(() => undefined).finally(() => file.close());
  }
  expect(await computer.restored()).toEqual(computer.seen());
  // Nothing is removed while a kept manifest is damaged: its blocks are unknown.
  const middle = join(computer.path, computer.manifests()[5] ?? '');
  writeFileSync(middle, readFileSync(middle).subarray(5));
  const blocks = computer.blocks();
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  expect(computer.blocks()).toEqual(expect.arrayContaining(blocks));
});
