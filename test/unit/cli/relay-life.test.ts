import { afterEach, beforeEach, expect, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { commandError } from '../../../src/cli/command-error.ts';
import { lastLineAfter } from '../../../src/cli/relay-life.ts';

let records: LogRecord[];
beforeEach(() => {
  records = [];
  logTo((record) => records.push(record));
});
afterEach(() => logTo(null));

const broke = commandError('failed', 'database_broke', { folder: '/data', reason: 'SQLITE_FULL' });

test('the last line reports a database failure, and the error is passed on', async () => {
  const life = lastLineAfter(async (started) => {
    started();
    throw broke;
  });
  await expect(life).rejects.toBe(broke);
  expect(records).toEqual([
    {
      level: 'error',
      event: 'relay.stopped',
      of: 'failure',
      code: 'database_broke',
      ms: expect.any(Number),
    },
  ]);
});

test('writes no last line for a relay that failed to start', async () => {
  await expect(lastLineAfter(() => Promise.reject(broke))).rejects.toBe(broke);
  expect(records).toEqual([]);
});

test('writes the last line after everything is closed', async () => {
  await lastLineAfter(async (started) => {
    started();
    await using _ = {
      async [Symbol.asyncDispose]() {
        records.push({ level: 'info', event: 'closed' });
      },
    };
    return 'SIGTERM';
  });
  expect(records.map(({ event, of }) => [event, of])).toEqual([
    ['closed', undefined],
    ['relay.stopped', 'SIGTERM'],
  ]);
});
