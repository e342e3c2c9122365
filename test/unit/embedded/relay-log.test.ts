import { afterEach, expect, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { relayLogger } from '../../../src/embedded/relay-log.ts';
import { logTrouble, TROUBLES, type Trouble } from '../../../src/relay/trouble.ts';

afterEach(() => logTo(null));

function recordOf(say: (logger: ReturnType<typeof relayLogger>) => void): LogRecord | undefined {
  const records: LogRecord[] = [];
  logTo((record) => records.push(record));
  say(relayLogger());
  return records[0];
}

test.each(Object.keys(TROUBLES) as Trouble[])('%s of the relay has a record of its own', (event) => {
  const err = Object.assign(new Error('/home/ann/relay.db'), { code: 'SQLITE_FULL' });
  expect(recordOf((logger) => logTrouble(logger, 'error', event, { err }))).toEqual({
    level: 'error',
    event: `embedded.${event}`,
    code: 'SQLITE_FULL',
    stack: expect.any(Array),
  });
});

test('the words of a line are not looked at, and never recorded', () => {
  expect(recordOf((logger) => logger.warn({ event: 'of a library' }, TROUBLES.clock_jumped))).toEqual({
    level: 'warn',
    event: 'embedded.trouble',
  });
});
