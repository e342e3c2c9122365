import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { describe, type LogRecord, log, logTo, toFailure } from '../../../src/base/log.ts';
import { openLog } from '../../../src/base/node/log-files.ts';
import { temporaryFolder } from '../../support/engine.ts';

const records: LogRecord[] = [];
const collect = () => logTo((record) => records.push(record));

afterEach(() => {
  records.length = 0;
  logTo(() => undefined);
});

test('an error that nobody foresaw has an id, and the log explains it under this id', () => {
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

test('a failure that was foreseen stays what it is, and is not logged', () => {
  collect();
  const failure = new Failure('locked');
  expect(toFailure(failure)).toBe(failure);
  expect(records).toEqual([]);
});

test('nothing of a message, of a name in it, or of where the person keeps files gets into the log', () => {
  const secret = 'correct horse battery staple';
  const error = Object.assign(new Error(`cannot send ${secret}\n    at ${secret} (/home/${secret})`), {
    code: secret,
  });
  error.stack = `Error: ${secret}\n    at send (/home/maya/waxwing/src/engine/outbox.ts:12:3)\n    at Socket.<anonymous> (/home/maya/elsewhere.js:1:1)`;
  expect(describe(error)).toEqual({
    code: 'Error',
    stack: ['at send (src/engine/outbox.ts:12:3)', 'at Socket.<anonymous> (…:1:1)'],
  });
});

test('the log is readable by its owner alone, and its files have a limit together', async () => {
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

test('records follow each other as lines of JSON', async () => {
  using folder = temporaryFolder();
  const files = openLog(folder.path);
  logTo(files.write);
  log('info', 'engine.started', { ms: 12 });
  await files.close();
  const [line = ''] = readFileSync(join(folder.path, 'waxwing.log'), 'utf8').split('\n');
  expect(JSON.parse(line)).toMatchObject({ level: 'info', event: 'engine.started', ms: 12 });
});
