import { expect, test } from 'vitest';
import { prettyLine } from '../../../src/cli/log.ts';

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

test('what failed is marked, with its cause', () => {
  const err = { message: 'disk full', stack: 'Error: disk full\n    at write' };
  expect(prettyLine({ ...base, level: 50, msg: 'request failed', err })).toBe(
    '09:08:07  ERROR  request failed: Error: disk full\n    at write',
  );
  expect(prettyLine({ ...base, level: 60, msg: 'the database broke', reason: 'SQLITE_IOERR' })).toBe(
    '09:08:07  ERROR  the database broke: SQLITE_IOERR',
  );
  expect(prettyLine({ ...base, msg: 'Server listening' })).toBe('09:08:07  Server listening');
});
