import { afterEach, expect, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { relayLogger } from '../../../src/embedded/relay-log.ts';
import { logWarning, WARNINGS, type WarningName } from '../../../src/relay/operator/warnings.ts';

afterEach(() => logTo(null));

function recordOf(write: (logger: ReturnType<typeof relayLogger>) => void): LogRecord | undefined {
  const records: LogRecord[] = [];
  logTo((record) => records.push(record));
  write(relayLogger());
  return records[0];
}

test.each(Object.keys(WARNINGS) as WarningName[])('%s of the relay has its own record', (event) => {
  const err = Object.assign(new Error('/home/ann/relay.db'), { code: 'SQLITE_FULL' });
  expect(recordOf((logger) => logWarning(logger, 'error', event, { err }))).toEqual({
    level: 'error',
    event: `embedded.${event}`,
    code: 'SQLITE_FULL',
    stack: expect.any(Array),
  });
});

test('never records the message of a line', () => {
  expect(recordOf((logger) => logger.warn({ event: 'of a library' }, WARNINGS.clock_jumped))).toEqual({
    level: 'warn',
    event: 'embedded.warning',
  });
});
