import { expect, test } from 'vitest';
import { Failure, IdentityError, RelayUnreachable } from '../../../src/base/failure.ts';
import { logTo } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { explained } from '../../../src/cli/connection.ts';
import { explain, report } from '../../../src/cli/errors.ts';
import { OperatorFailure } from '../../../src/relay/operator/failure.ts';

test('prints an expected failure as its sentence', () => {
  expect(explain(new Failure('folder_busy', { path: '/data' }))).toBe(
    'Waxwing is already running with the data in /data. Close it first, or choose another folder with --data.',
  );
});

test('explains a folder that Node’s permissions exclude, as in the unit', () => {
  expect(explain(new Failure('folder_unusable', { path: '/data', reason: 'ERR_ACCESS_DENIED' }))).toBe(
    "The folder /data cannot be used: Node's permissions do not allow it. Use a folder that the unit or the image allows.",
  );
});

test('prints an unexpected error with the id of its log record', () => {
  const records: LogRecord[] = [];
  logTo((record) => records.push(record));
  const sentence = explain(new TypeError('undefined is not a function'));
  logTo(null);
  const [id = 'none'] = sentence.match(/E-[2-9A-Z]{4}/) ?? [];
  expect(sentence).toBe(`Something went wrong (${id}). The log has details.`);
  expect(records).toMatchObject([{ event: 'unexpected', id, code: 'TypeError', stack: expect.any(Array) }]);
});

test('a relay with wrong settings exits with the code that prevents a restart', () => {
  const moved = new OperatorFailure('database_moved', {
    file: '/data/relay.db',
    note: '/data/relay.db.moved',
  });
  expect(report(moved, true)).toBe(2);
  expect(report(new OperatorFailure('store_unavailable', { reason: 'full' }), true)).toBe(1);
});

test.each<[Error, 1 | 2]>([
  [new OperatorFailure('public_url_insecure', { url: 'http://relay.example' }), 2],
  [new OperatorFailure('metrics_port', { host: '127.0.0.1', port: 80, reason: 'EACCES' }), 2],
  [new OperatorFailure('metrics_port', { host: '127.0.0.1', port: 9464, reason: 'EADDRINUSE' }), 1],
  [new OperatorFailure('database_lost', { file: '/data/relay.db', note: '/data/relay.db.started' }), 2],
  [new OperatorFailure('database_replaced', { file: '/data/relay.db' }), 2],
  [new OperatorFailure('blobs_folder_unusable', { folder: '/files', reason: 'EACCES' }), 2],
  [new OperatorFailure('blobs_folder_unusable', { folder: '/files', reason: 'ENOSPC' }), 1],
  [new Failure('folder_unusable', { path: '/data', reason: 'EACCES' }), 2],
  [new Failure('folder_unusable', { path: '/data', reason: 'ERR_ACCESS_DENIED' }), 2],
  [new Failure('folder_unusable', { path: '/data', reason: 'ENOSPC' }), 1],
  [new Failure('folder_busy', { path: '/data' }), 1],
  [Object.assign(new Error('refused'), { syscall: 'listen', code: 'EACCES' }), 2],
  [Object.assign(new Error('refused'), { syscall: 'listen', code: 'EADDRINUSE' }), 1],
])('a restart is prevented only if it cannot help: %s', (error, code) => {
  expect(report(error, true)).toBe(code);
});

test.each([
  ['ENOSPC', 1],
  ['EACCES', 3],
] as const)('an identity that cannot be written by %s exits with %i', (reason, code) => {
  const error = new IdentityError('identity_unwritable', { path: '/data/identity.json', reason });
  expect(report(error, true)).toBe(code);
});

test.each([
  [
    { code: 'EADDRINUSE', port: 8787 },
    'Port 8787 is in use by another program. Choose another with --port; 0 for any free port.',
  ],
  [
    { code: 'EAI_AGAIN', hostname: 'x.local' },
    'x.local is not a name of this computer. Set an address with --host.',
  ],
  [{ code: 'toString', port: 80 }, 'The server cannot listen on port 80: refused'],
])('a server that cannot listen reports the reason: $code', (facts, sentence) => {
  const error = Object.assign(new Error('refused'), { syscall: 'listen' }, facts);
  expect(explain(error)).toBe(sentence);
});

test('another relay is proposed for one that cannot be reached, and not for a wrong clock', async () => {
  const url = 'https://relay.example';
  const after = (error: RelayUnreachable) => explained(Promise.reject(error), url, null);
  await expect(after(new RelayUnreachable('relay_late'))).rejects.toThrow('Choose another one with --relay');
  const clock = new RelayUnreachable('clocks_differ', { days: 3 });
  await expect(after(clock)).rejects.toThrow(
    /3 days apart\..* operator of the relay\..*\(https:\/\/relay\.example\)$/,
  );
});
