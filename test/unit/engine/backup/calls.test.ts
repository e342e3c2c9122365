import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../../../src/archive/history-records.ts';
import { Calls } from '../../../../src/engine/backup/calls.ts';
import { Lines } from '../../../../src/engine/backup/lines.ts';

test('a call begins after the end of the one before, and the caller continues meanwhile', async () => {
  const calls = new Calls(1);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun: string[] = [];
  const begin = (name: string, end: Promise<void>) =>
    calls.begin(() => {
      begun.push(name);
      return end;
    });
  await begin('first', first.promise);
  const next = begin('second', second.promise);
  await Promise.resolve();
  expect(begun).toEqual(['first']);
  first.resolve();
  await next;
  expect(begun).toEqual(['first', 'second']);
  second.resolve();
  await calls.end();
});

test('several calls run at the same time, and the next one waits for the oldest', async () => {
  const calls = new Calls(2);
  const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const begun: number[] = [];
  const begin = (index: number) =>
    calls.begin(() => {
      begun.push(index);
      return ends[index]?.promise ?? Promise.reject(new RangeError());
    });
  await begin(0);
  await begin(1);
  const third = begin(2);
  ends[1]?.resolve();
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[0]?.resolve();
  await third;
  expect(begun).toEqual([0, 1, 2]);
  ends[2]?.resolve();
  await calls.end();
});

test('a failure is that of the next call, or of the end', async () => {
  const failing = new Error('full');
  const calls = new Calls(1);
  await calls.begin(() => Promise.reject(failing));
  let isBegun = false;
  const next = calls.begin(async () => {
    isBegun = true;
  });
  await expect(next).rejects.toBe(failing);
  expect(isBegun).toBe(false);
  await expect(calls.end()).rejects.toBe(failing);
});

test('lines of any length and script are UTF-8, and do not change with the next ones', () => {
  const lines = new Lines(16);
  const records = ['short', 'ж'.repeat(1000), '漢字🕯️'.repeat(50_000), 'line\nfeed', '\ud800'].map(
    (value) => ({ type: 'setting', key: 'a', value }) as unknown as HistoryRecord,
  );
  for (const record of records) lines.add(record);
  const expected = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  expect(lines.length).toBe(expected.length);
  const bytes = lines.end();
  expect(lines.length).toBe(0);
  for (const record of records.toReversed()) lines.add(record);
  expect(expected.equals(bytes)).toBe(true);
  expect(lines.end().length).toBe(expected.length);
});
