import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { log, logTo, toFailure } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { newestRecords, openLog } from '../../../src/base/node/log-files.ts';
import { temporaryFolder } from '../../support/engine.ts';

const records: LogRecord[] = [];
const collect = () => logTo((record) => records.push(record));

afterEach(() => {
  records.length = 0;
  logTo(null);
  vi.useRealTimers();
});

test('records an unexpected error under its id', () => {
  collect();
  const failure = toFailure(new TypeError('cannot read'));
  expect(failure).toMatchObject({
    code: 'unexpected',
    parameters: { id: expect.stringMatching(/^E-[2-9A-Z]{4}$/) },
  });
  expect(records).toEqual([
    {
      level: 'error',
      event: 'unexpected',
      id: (failure.parameters as { id: string }).id,
      code: 'TypeError',
      stack: expect.arrayContaining([expect.stringContaining('test')]),
    },
  ]);
});

test('passes on an expected failure without logging', () => {
  collect();
  const failure = new Failure('locked');
  expect(toFailure(failure)).toBe(failure);
  expect(records).toEqual([]);
});

test('the log is readable only by its owner, with a total size limit', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'logs');
  const line = { level: 'info', event: 'x'.repeat(200_000) } as const;
  for (let start = 0; start < 8; start++) {
    const files = openLog(path);
    for (let count = 0; count < 10; count++) files.write(line);
    await files.close();
  }
  const files = readdirSync(path).map((name) => join(path, name));
  const total = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(total).toBeGreaterThan(1_000_000);
  expect(total).toBeLessThan(12_000_000);
  if (process.platform !== 'win32') {
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const file of files) expect(statSync(file).mode & 0o777, file).toBe(0o600);
  }
});

test.skipIf(process.platform === 'win32')(
  'keeps the mode of an existing folder, which others may use',
  async () => {
    using folder = temporaryFolder();
    const shared = join(folder.path, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const files = openLog(shared);
    files.write({ level: 'info', event: 'engine.started' });
    await files.close();
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
    expect(statSync(join(shared, 'waxwing.log')).mode & 0o777).toBe(0o600);
  },
);

test('writes records as lines of JSON', async () => {
  using folder = temporaryFolder();
  const files = openLog(folder.path);
  logTo(files.write);
  log('info', 'engine.started', { ms: 12 });
  await files.close();
  const [line = ''] = readFileSync(join(folder.path, 'waxwing.log'), 'utf8').split('\n');
  expect(JSON.parse(line)).toMatchObject({ level: 'info', event: 'engine.started', ms: 12 });
});

test('writes a repeated error a few times, then only its count', () => {
  vi.useFakeTimers();
  collect();
  log('error', 'before');
  for (let round = 0; round < 5_000; round++) {
    log('warn', 'engine.offline', { code: 'relay_silent', ms: round });
    toFailure(new TypeError('again'));
  }
  log('error', 'after');
  const eventsOf = () => records.map(({ event }) => event);
  expect(eventsOf().filter((event) => event === 'engine.offline')).toHaveLength(20);
  expect(eventsOf().filter((event) => event === 'unexpected')).toHaveLength(20);
  expect(eventsOf()).toContain('after');
  vi.advanceTimersByTime(60_000);
  expect(records.slice(-2)).toEqual([
    { level: 'warn', event: 'log.dropped', of: 'engine.offline', count: 4_980 },
    { level: 'warn', event: 'log.dropped', of: 'unexpected', count: 4_980 },
  ]);
  log('warn', 'engine.offline', { code: 'relay_silent' });
  expect(records.at(-1)).toMatchObject({ event: 'engine.offline' });
});

test('limits all records of a minute, with a separate limit for errors', () => {
  vi.useFakeTimers();
  collect();
  for (let kind = 0; kind < 5_000; kind++) log('info', 'call.slow', { of: `call${kind}` });
  log('error', 'unexpected');
  expect(records).toHaveLength(301);
  // A process that ends loses its unreported records.
  logTo(null);
  expect(records.at(-1)).toEqual({ level: 'warn', event: 'log.dropped', of: 'call.slow', count: 4_700 });
});

test('does not write terminal-only records to a file', async () => {
  using folder = temporaryFolder();
  const files = openLog(folder.path);
  files.write({ level: 'debug', event: 'relay.called' });
  files.write({ level: 'info', event: 'engine.started' });
  // A report that is requested at once contains the newest record.
  expect(await newestRecords(folder.path, 10, 10_000)).toEqual([expect.stringContaining('engine.started')]);
  await files.close();
});

test('a report has the newest complete records within its limit', async () => {
  using folder = temporaryFolder();
  for (let start = 0; start < 2; start++) {
    const files = openLog(folder.path);
    for (let count = 0; count < 7_000; count++)
      files.write({
        level: 'info',
        event: 'engine.polled',
        of: 'x'.repeat(50),
        count: start * 7_000 + count,
      });
    await files.close();
  }
  // More than one file: the older one is read, too.
  expect(readdirSync(folder.path).length).toBeGreaterThan(1);
  const records = await newestRecords(folder.path, 200, 1_000_000);
  expect(records).toHaveLength(200);
  expect(records.map((line) => JSON.parse(line).count)).toEqual(
    Array.from({ length: 200 }, (_, index) => 13_800 + index),
  );
  const few = await newestRecords(folder.path, 200, 1_000);
  expect(few.join('\n').length).toBeLessThan(1_000);
  expect(JSON.parse(few.at(-1) ?? '').count).toBe(13_999);
  expect(await newestRecords(join(folder.path, 'nowhere'), 200, 1_000)).toEqual([]);
});

test('continues without a log if its folder cannot be created', async () => {
  using folder = temporaryFolder();
  const inTheWay = join(folder.path, 'logs');
  writeFileSync(inTheWay, '');
  const files = openLog(inTheWay);
  files.write({ level: 'error', event: 'unexpected' });
  await files.close();
  expect(readFileSync(inTheWay, 'utf8')).toBe('');
});
