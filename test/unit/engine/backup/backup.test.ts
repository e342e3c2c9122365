/** Backup files: created from one cache, and restored into another one. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { HistoryRecord } from '../../../../src/archive/history-records.ts';
import { backUp, putFiles, sealed } from '../../../support/backups.ts';
import { ann, ben, LATER, seenIn } from '../../../support/history.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { runs } from '../../../support/runs.ts';
import { deviceWith, folder, newPath, PHRASE, SOME, WALLET } from './backup.ts';

afterAll(() => rmSync(folder, { recursive: true }));

test('a passphrase opens a backup, and another one does not', async () => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  const path = newPath();
  await source.backups.make(path, { passphrase: 'a long passphrase', walletKey: null });
  await expect(
    target.backups.restore(path, { passphrase: 'another passphrase', walletKey: WALLET }),
  ).rejects.toMatchObject({ code: 'backup_secret_wrong' });
  await target.backups.restore(path, { passphrase: 'a long passphrase', walletKey: null });
  expect(seenIn(target.device.context)).toEqual(seenIn(source.device.context));
  // No text of it is legible.
  const bytes = readFileSync(path);
  for (const word of ['Hello', 'a.jpg', ann.address, ben.address]) expect(bytes.includes(word)).toBe(false);
});

test('a backup without a file that the disk has lost reports it, and without a deleted one does not', async () => {
  await using source = deviceWith(SOME);
  const { device, backups } = source;
  const [lost = 0] = putFiles(device, () => randomBytes(3_000));
  rmSync(join(device.folder, 'files', String(lost)));
  expect(await backups.make(newPath(), PHRASE)).toMatchObject({ missingFiles: 1 });
  expect(backups.state.last).toMatchObject({ missingFiles: 1 });
  // As if it was deleted after the list of files was read.
  vi.spyOn(device.context.files, 'get').mockReturnValue(null);
  expect(await backups.make(newPath(), PHRASE)).toMatchObject({ missingFiles: 0 });
});

test('the end of a restore has the number of records that were left out', async () => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  await using other = deviceWith([]);
  const path = newPath();
  await source.backups.make(path, PHRASE);
  expect(await target.backups.restore(path, PHRASE)).toMatchObject({ leftOut: 0 });
  const ofNewerVersion = HistoryRecord.safeParse({ type: 'future' });
  vi.spyOn(HistoryRecord, 'safeParse').mockReturnValueOnce(ofNewerVersion);
  expect(await other.backups.restore(path, PHRASE)).toMatchObject({ leftOut: 1 });
});

test('a restore that a new start continues, or the person, has the number of all records that were left out', async () => {
  await using source = deviceWith(SOME);
  putFiles(source.device, () => randomBytes(3_000));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  for (const continues of ['start', 'person']) {
    const target = deviceWith([]);
    const { device } = target;
    const { backupRows } = device.context;
    // The first block has a record of a newer version. After it, the program ends.
    vi.spyOn(HistoryRecord, 'safeParse').mockReturnValueOnce(HistoryRecord.safeParse({ type: 'future' }));
    const set = backupRows.setRestored.bind(backupRows);
    backupRows.setRestored = (progress) => {
      set(progress);
      target.backups.close();
    };
    await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_stopped' });
    await target.killThread();
    expect(backupRows.restore()).toMatchObject({ done: 1, leftOut: 1 });
    backupRows.setRestored = set;
    await using later = backUp(device);
    if (continues === 'start') {
      expect(later.backups.state.resumed).toBeNull();
      await later.backups.resume();
      expect(later.backups.state.resumed).toEqual({ at: LATER, skipped: 0, leftOut: 1 });
    }
    const again = await later.backups.restore(path, PHRASE);
    // The same backup once more is read from its beginning.
    expect(again.leftOut).toBe(continues === 'start' ? 0 : 1);
    expect(later.backups.state.resumed).toBeNull();
  }
});

test.each([
  ['a program', Buffer.from('#!/bin/sh\n'), 'application/x-executable'],
  ['a picture', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
  ['bytes that do not open', null, 'application/octet-stream'],
])('a restored file has the type of its first bytes: %s', async (_, begin, mediaType) => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  // The source states that all of them are JPEG pictures.
  putFiles(source.device, (id) => (begin ? sealed(source.device, id, begin) : randomBytes(3_000)));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  await target.backups.restore(path, PHRASE);
  const { files } = target.device.context;
  expect(files.ids().map((id) => files.get(id))).toMatchObject([{ isHere: true, mediaType }]);
});

test('a record that states the type of a file is refused', () => {
  const key = Buffer.alloc(32).toString('base64url');
  const record = { type: 'file', key, digest: key, size: 1 } as const;
  expect(HistoryRecord.safeParse(record).success).toBe(true);
  expect(HistoryRecord.safeParse({ ...record, mediaType: 'image/png' }).success).toBe(false);
});

test('a restore merges the messages of one chat after the other, and their order stays', async () => {
  const chats = ['ben', 'cat', 'group'] as const;
  const text = (number: number) => ({ is: 'text', by: 1, text: `Text ${number}`, expires: null }) as const;
  await using source = deviceWith(
    Array.from({ length: 240 }, (_, number) => ({ ...text(number), chat: chats[number % 3] ?? 'ben' })),
  );
  await using target = deviceWith([]);
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const emitted = vi.spyOn(target.device.context, 'emit');
  const moved = vi.spyOn(target.device.context, 'moveLog');
  await target.backups.restore(path, PHRASE);
  const changed = emitted.mock.calls
    .filter(([name]) => name === 'messages.changed')
    .map(([, payload]) => JSON.stringify(payload));
  const merged = changed.filter((chat, index) => chat !== changed[index - 1]);
  // The records of conversations come first, each with one change.
  expect(merged.length).toBeLessThanOrEqual(6);
  // In a slice of its own, before a transaction has to move the pages of many.
  expect(moved.mock.results.map(({ value }) => value)).toContain(true);
  expect(seenIn(target.device.context)).toEqual(seenIn(source.device.context));
});

test('one flipped bit anywhere is refused, and changes nothing', { timeout: LONG_TEST_LIMIT }, async () => {
  await using source = deviceWith(SOME);
  await using target = deviceWith([]);
  putFiles(source.device, () => randomBytes(3_000));
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const whole = readFileSync(path);
  const before = seenIn(target.device.context);
  // Covers each kind of position: magic, header, its hash, heads and contents of blocks, manifest, trailer.
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
    expect(['backup_damaged', 'backup_unknown'], `a flip at ${at}: ${code}`).toContain(code);
  }
  expect([...codes].toSorted()).toEqual(['backup_damaged', 'backup_unknown']);
  // Cut at any position, and with trailing bytes.
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

test('a backup of a newer version is refused by its version', async () => {
  await using source = deviceWith(SOME);
  const path = newPath();
  await source.backups.make(path, PHRASE);
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('1\n')] = '2'.charCodeAt(0);
  const end = 21 + bytes.readUInt32BE(17);
  bytes.set(createHash('sha256').update(bytes.subarray(0, end)).digest(), end);
  const newer = newPath();
  writeFileSync(newer, bytes);
  await expect(source.backups.restore(newer, PHRASE)).rejects.toMatchObject({ code: 'backup_newer' });
});

test('a missing file, and one that is not a backup, is refused', async () => {
  await using target = deviceWith([]);
  const path = newPath();
  await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_unreadable' });
  writeFileSync(path, randomBytes(10_000));
  await expect(target.backups.restore(path, PHRASE)).rejects.toMatchObject({ code: 'backup_unknown' });
  expect(target.backups.state.problem).toMatchObject({ code: 'backup_unknown' });
});

test('a stopped backup leaves no file, and the one before', async () => {
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
