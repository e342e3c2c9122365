import { pino } from 'pino';
import { expect, test } from 'vitest';
import { prettyLine, recordLine, relayLogOptions } from '../../../src/cli/log.ts';

const time = new Date('2026-11-21T09:08:07').getTime();
const base = { time, level: 30, msg: 'request' };

test('a request is one short line', () => {
  const request = { ...base, method: 'GET', route: '/api/v1/me', status: 200, ms: 1.2 };
  expect(prettyLine(request)).toBe('09:08:07  GET  /api/v1/me  200  1.2 ms');
  expect(prettyLine({ ...request, credentialType: 'session' })).toBe(
    '09:08:07  GET  /api/v1/me  200  1.2 ms  session',
  );
  expect(prettyLine({ ...request, status: 401, problem: 'unauthorized' })).toBe(
    '09:08:07  GET  /api/v1/me  401  1.2 ms  unauthorized',
  );
});

test('marks a failure with its cause', () => {
  const err = { type: 'SQLITE_FULL', stack: 'at write (src/x.ts:1:2)' };
  expect(prettyLine({ ...base, level: 50, msg: 'request failed', err })).toBe(
    '09:08:07  ERROR  request failed: SQLITE_FULL\n    at write (src/x.ts:1:2)',
  );
  expect(prettyLine({ ...base, level: 60, msg: 'the database broke', reason: 'SQLITE_IOERR' })).toBe(
    '09:08:07  ERROR  the database broke: SQLITE_IOERR',
  );
  expect(prettyLine({ ...base, msg: 'Server listening' })).toBe('09:08:07  Server listening');
});

test('prints the reason for stopping and the running time for a person', () => {
  const line = { ...base, msg: 'relay.stopped', of: 'SIGTERM' };
  expect(prettyLine({ ...line, ms: 412 })).toBe('09:08:07  relay.stopped  SIGTERM  412 ms');
  expect(prettyLine({ ...line, ms: 273_600_500 })).toBe('09:08:07  relay.stopped  SIGTERM  3 d 4 h');
});

test('logs class or code and place of an error, without its message', () => {
  const lines: string[] = [];
  const logger = pino(relayLogOptions(false), { write: (line: string) => lines.push(line) });
  const error = new TypeError('no such handle: MARKERname\n    at MARKERname (/home/MARKERname/x.ts:1:1)');
  logger.child({ requestId: '1' }).error({ err: error }, 'request failed');
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    type: 'TypeError',
    stack: expect.stringContaining('test/'),
  });
  expect(lines.join('')).not.toContain('MARKERname');
});

test('a record of the log is one line for a person, with its stack below', () => {
  const at = new Date('2026-11-21T09:08:07.123Z');
  const record = { level: 'info', event: 'relay.called', of: 'getMe', ms: 12 } as const;
  expect(recordLine(record, at)).toBe('09:08:07.123  info   relay.called  getMe  12 ms');
  const stack = ['at send (src/engine/sending/outbox.ts:12:3)'];
  expect(
    recordLine({ level: 'error', event: 'unexpected', code: 'TypeError', id: 'E-7F3K', stack }, at),
  ).toBe(
    '09:08:07.123  error  unexpected  TypeError  E-7F3K\n    at send (src/engine/sending/outbox.ts:12:3)',
  );
});
