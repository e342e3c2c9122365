/** Backup files: made of one cache, and restored into another one. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { BackupSecrets } from '../../../../src/engine/archive/keys.ts';
import { backUp, putFiles } from '../../../support/backups.ts';
import { openDevice } from '../../../support/cached-device.ts';
import {
  type Act,
  acts,
  ann,
  ben,
  chain,
  HistoryWriter,
  LATER,
  openAnn,
  seenIn,
} from '../../../support/history.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { repeated, runs } from '../../../support/runs.ts';

const WALLET = new Uint8Array(32).fill(7);
/** The cheap one: scrypt needs a third of a second. */
const PHRASE: BackupSecrets = { passphrase: null, walletKey: WALLET };
const CASES = runs({ quick: 3, all: 50, nightly: 500 });

const folder = mkdtempSync(join(tmpdir(), 'waxwing-backups-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = () => join(folder, `${++count}.waxwing-backup`);

function deviceWith(all: readonly Act[]) {
  let clock = LATER;
  const device = openAnn(() => clock);
  const writer = new HistoryWriter(device, (at) => {
    clock = at;
  });
  for (const act of all) writer.do(act);
  clock = LATER;
  device.context.transaction(() => undefined);
  return backUp(device);
}

const SOME: readonly Act[] = [
  { is: 'text', chat: 'ben', by: 1, text: 'Hello Ann', expires: null },
  { is: 'text', chat: 'ben', by: 0, text: 'Hello Ben', expires: null },
  { is: 'file', chat: 'group', by: 1, name: 'a.jpg', size: 3_000 },
  { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
];

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
        expect(made).toEqual({ at: LATER, bytes: statSync(path).size });
        expect(source.backups.state).toMatchObject({ last: made, progress: null, problem: null });
        await target.backups.restore(path, PHRASE);
        expect(seenIn(target.device.context)).toEqual(seenIn(source.device.context));
        expect(target.fileNames()).toHaveLength(ids.length);
        for (const name of target.fileNames())
          expect(readFileSync(join(target.device.folder, 'files', name)).equals(bytes)).toBe(true);
        expect(target.backups.state).toMatchObject({ progress: null, problem: null, isRestoreOpen: false });
      },
    ),
    { ...repeated, numRuns: CASES },
  );
});

test('a passphrase opens a backup, and another one does not', async () => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  const path = newPath();
  await source.backups.make(path, { passphrase: 'seven slow herons', walletKey: null });
  await expect(
    target.backups.restore(path, { passphrase: 'seven slow storks', walletKey: WALLET }),
  ).rejects.toMatchObject({ code: 'backup_secret_wrong' });
  await target.backups.restore(path, { passphrase: 'seven slow herons', walletKey: null });
  expect(seenIn(target.device.context)).toEqual(seenIn(source.device.context));
  // Nothing of it is legible.
  const bytes = readFileSync(path);
  for (const word of ['Hello', 'a.jpg', ann.address, ben.address]) expect(bytes.includes(word)).toBe(false);
});

test('one flipped bit anywhere is refused, and changes nothing', { timeout: LONG_TEST_LIMIT }, async () => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  putFiles(source.device, () => randomBytes(3_000));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const whole = readFileSync(path);
  const before = seenIn(target.device.context);
  // Each kind of place has some of them: magic, header, its hash, heads and contents of blocks, manifest, trailer.
  const step = runs({ quick: 199, all: 23, nightly: 3 });
  const places = new Set([
    0,
    10,
    15,
    17,
    18,
    19,
    20,
    21,
    60,
    whole.length - 1,
    whole.length - 20,
    whole.length - 28,
  ]);
  for (let at = 0; at < whole.length; at += step) places.add(at);
  const broken = newPath();
  const codes = new Set<string>();
  for (const at of places) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(broken, bytes);
    const code = await target.backups.restore(broken, PHRASE).then(
      () => 'restored',
      (error: { code?: string }) => error.code ?? String(error),
    );
    codes.add(code);
    expect(['backup_damaged', 'backup_unknown', 'backup_newer'], `a flip at ${at}: ${code}`).toContain(code);
  }
  expect([...codes].toSorted()).toEqual(['backup_damaged', 'backup_newer', 'backup_unknown']);
  // Cut at any place, and with something behind its end.
  for (const bytes of [
    ...[0, 5, 18, 100, 2_000, whole.length - 1].map((end) => whole.subarray(0, end)),
    Buffer.concat([whole, Buffer.from('x')]),
  ]) {
    writeFileSync(broken, bytes);
    await expect(target.backups.restore(broken, PHRASE)).rejects.toMatchObject({
      code: expect.stringMatching(/^backup_(?:damaged|unknown)$/),
    });
  }
  expect(seenIn(target.device.context)).toEqual(before);
  expect(target.backups.state.isRestoreOpen).toBe(false);
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

test('a file that is no backup, or is not there, is refused', async () => {
  await using target = deviceWith([]);
  const path = newPath();
  await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_unreadable' });
  writeFileSync(path, randomBytes(10_000));
  await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_unknown' });
  expect(target.backups.state.problem).toMatchObject({ code: 'backup_unknown' });
});

test('a stopped or killed backup leaves no file, and the one before', async () => {
  const place = mkdtempSync(join(folder, 'place-'));
  const path = join(place, 'ann.waxwing-backup');
  {
    await using source = deviceWith(SOME);
    await source.backups.make(path, PHRASE);
    const before = readFileSync(path);
    const making = source.backups.make(path, PHRASE);
    const stopped = expect(making).rejects.toMatchObject({ code: 'backup_stopped' });
    await source.backups.stop();
    await stopped;
    expect(source.backups.state).toMatchObject({ progress: null, problem: null });
    expect(readdirSync(place)).toEqual(['ann.waxwing-backup']);
    expect(readFileSync(path).equals(before)).toBe(true);
    // The next backup removes the remains of a killed one.
    const left = readdirSync(place);
    expect(left).toHaveLength(1);
    await source.backups.make(path, PHRASE);
    expect(readdirSync(place)).toEqual(['ann.waxwing-backup']);
  }
});

test('a folder that cannot be written is reported', async () => {
  await using source = deviceWith(SOME);
  await expect(source.backups.make(join(folder, 'absent', 'x.waxwing-backup'), PHRASE)).rejects.toMatchObject(
    { code: 'file_unsaved' },
  );
  expect(existsSync(join(folder, 'absent'))).toBe(false);
  expect(source.backups.state.last).toBeNull();
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
  device.context.backupRows.setRestored = (done) => {
    set(done);
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
