import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openNewest } from '../../../../src/archive/open-newest.ts';
import { backUp, putFiles } from '../../../support/backups.ts';
import { openDevice } from '../../../support/cached-device.ts';
import {
  FolderComputer as Computer,
  DAY,
  lasting,
  PHRASE,
  SOME,
  text,
} from '../../../support/folder-backups.ts';
import { ben, chain, LATER, openAnn, seenIn } from '../../../support/history.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { runs } from '../../../support/runs.ts';

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
    { numRuns: CASES },
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

test('a second backup of a day replaces the first, with the blocks that only that has', async () => {
  await using computer = await new Computer(SOME).begin();
  const before = computer.blocks();
  computer.write([text('Later')]);
  expect(await computer.make()).toBeUndefined();
  expect(computer.manifests()).toHaveLength(1);
  expect(before.filter((path) => existsSync(path)).length).toBeLessThan(before.length);
  expect(await computer.restored()).toEqual(computer.seen());
});

test('only blocks with changes are written, and unchanged ranges are not read', async () => {
  await using computer = new Computer();
  computer.write(Array.from({ length: 520 }, (_, index) => text(`Message ${index}`)));
  await computer.begin();
  const { context } = computer.device;
  const before = new Set(computer.blocks());
  const ranges: number[] = [];
  const messages = context.historyRows.messages.bind(context.historyRows);
  context.historyRows.messages = (from, to, limit) => {
    ranges.push(Math.floor(from / 256));
    return messages(from, to, limit);
  };
  computer.write([
    { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
    { is: 'edit', chat: 'ben', by: 1, on: 1, text: 'Edited' },
    text('One more'),
  ]);
  expect(await computer.make()).toBeUndefined();
  const read = new Set(ranges);
  expect(read.size).toBeLessThan(3);
  // The account, people and settings, and each changed range.
  const added = computer.blocks().filter((path) => !before.has(path));
  expect(added.length).toBeLessThanOrEqual(2 + read.size);
  context.historyRows.messages = messages;
  expect(await computer.restored()).toEqual(computer.seen());
  ranges.length = 0;
  expect(await computer.make()).toBeUndefined();
  expect(ranges).toEqual([]);
});

test('a change during a backup belongs to the next one', async () => {
  await using computer = await new Computer(SOME).begin();
  computer.write([text('Before')]);
  const { historyRows } = computer.device.context;
  const messages = historyRows.messages.bind(historyRows);
  let isFirst = true;
  historyRows.messages = (from, to, limit) => {
    const rows = messages(from, to, limit);
    if (isFirst) {
      isFirst = false;
      computer.write([text('During')]);
    }
    return rows;
  };
  expect(await computer.make()).toBeUndefined();
  expect(await computer.make()).toBeUndefined();
  expect(await computer.restored()).toEqual(computer.seen());
});

/** Texts of messages in the order of their timelines. Their places differ after a merge of two histories. */
function textsIn(seen: unknown): (string | undefined)[] {
  const { chats } = seen as { chats: { timeline: { body: { text?: string } }[] }[] };
  return chats.flatMap(({ timeline }) => timeline.map(({ body }) => body.text));
}

test('a restore that was stopped begins anew with a newer backup of the same folder', async () => {
  // More than the messages that are merged before the progress is stored.
  const long = (index: number) => `Message ${index} ${'more '.repeat(500)}`.trim();
  await using computer = await new Computer(
    Array.from({ length: 600 }, (_, index) => text(long(index))),
  ).begin();
  await using target = backUp(openAnn(() => computer.clock));
  const { backups, device } = target;
  let stopping = Promise.resolve();
  const setRestored = device.context.backupRows.setRestored.bind(device.context.backupRows);
  device.context.backupRows.setRestored = (progress) => {
    setRestored(progress);
    if (progress.done >= 3) stopping = backups.stop();
  };
  const stopped = { code: 'backup_stopped' };
  await expect(backups.restore(computer.parent, PHRASE)).rejects.toMatchObject(stopped);
  await stopping;
  device.context.backupRows.setRestored = setRestored;
  expect(textsIn(seenIn(device.context))).toContain(long(599));
  expect(textsIn(seenIn(device.context))).not.toContain(long(0));
  computer.write(Array.from({ length: 300 }, (_, index) => text(`Newer ${index}`)));
  computer.clock += DAY;
  expect(await computer.make()).toBeUndefined();
  await backups.restore(computer.parent, PHRASE);
  expect(textsIn(seenIn(device.context))).toEqual(textsIn(computer.seen()));
});

test.each(['before anything is merged', 'after a part is merged'] as const)(
  'a folder that is disconnected during a restore, %s, continues it later',
  async (part) => {
    const long = (index: number) => `Message ${index} ${'more '.repeat(500)}`.trim();
    await using computer = await new Computer(
      Array.from({ length: 300 }, (_, index) => text(long(index))),
    ).begin();
    await using target = backUp(openAnn(() => computer.clock));
    const { backups, device } = target;
    const { backupRows } = device.context;
    const away = `${computer.parent} away`;
    const original = {
      begin: backupRows.beginRestore.bind(backupRows),
      set: backupRows.setRestored.bind(backupRows),
    };
    const disconnect = () => {
      if (existsSync(computer.parent)) renameSync(computer.parent, away);
    };
    if (part === 'before anything is merged')
      backupRows.beginRestore = (stored) => {
        original.begin(stored);
        disconnect();
      };
    else
      backupRows.setRestored = (done) => {
        original.set(done);
        disconnect();
      };
    // Twice: the person tries again before the disk is back.
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(backups.restore(computer.parent, PHRASE)).rejects.toMatchObject({
        code: 'backup_unreadable',
      });
      expect(backups.state).toMatchObject({ isRestoreOpen: true, problem: { code: 'backup_unreadable' } });
    }
    renameSync(away, computer.parent);
    [backupRows.beginRestore, backupRows.setRestored] = [original.begin, original.set];
    await backups.restore(computer.parent, PHRASE);
    expect(backups.state).toMatchObject({ isRestoreOpen: false, problem: null });
    expect(textsIn(seenIn(device.context))).toEqual(textsIn(computer.seen()));
  },
);

test('a restore from a folder passes over newer backups of another account with the same secret', async () => {
  await using computer = await new Computer(SOME).begin();
  await using other = backUp(openDevice(ben.address, chain, () => LATER + DAY));
  other.device.context.identity.markRegistered(LATER);
  await other.backups.setFolder(computer.parent, PHRASE);
  await other.backups.makeInFolder();
  expect(other.backups.state.folder).toMatchObject({ at: LATER + DAY, problem: null });
  expect(await computer.restored()).toEqual(computer.seen());
  const { file, skipped } = await openNewest(computer.parent, PHRASE, computer.device.own);
  await file.close();
  expect(skipped).toBe(0);
  const refused = { code: 'backup_of_other' };
  await expect(openNewest(computer.path, PHRASE, ben.address)).rejects.toMatchObject(refused);
});
