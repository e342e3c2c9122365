import pg from 'pg';
import { expect, test } from 'vitest';
import { toFailure } from '../../../../src/relay/store/postgres/failures.ts';
import { StoreUnavailable } from '../../../../src/relay/store/records.ts';

function refusedWith(code: string): Error {
  const error = new pg.DatabaseError('password authentication failed for user "waxwing"', 0, 'error');
  error.code = code;
  return toFailure(error) as Error;
}

test.each([
  ['28P01', /^PostgreSQL 28P01: the password of this user is wrong/],
  ['3D000', /createdb$/],
  ['42501', /OWNER TO …$/],
])('the failure %s has a remedy, and names no user', (code, sentence) => {
  const { message } = refusedWith(code);
  expect(message).toMatch(sentence);
  expect(message).not.toContain('"waxwing"');
});

test.each([
  ['ECONNREFUSED', /^PostgreSQL: ECONNREFUSED: no server listens/],
  ['ENOTFOUND', /^PostgreSQL: ENOTFOUND: there is no host with this name/],
  ['EAI_AGAIN', /^PostgreSQL: EAI_AGAIN: the name of the host cannot be resolved now/],
])('the failure %s of a connection has a remedy', (code, sentence) => {
  const failure = toFailure(Object.assign(new Error(code), { code }));
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect((failure as Error).message).toMatch(sentence);
});

test('an authority in a folder that Node may not read is reported without an option of Node', () => {
  const error = Object.assign(new Error('Use --allow-fs-read to manage permissions.'), {
    code: 'ERR_ACCESS_DENIED',
  });
  expect((toFailure(error) as Error).message).toMatch(
    /^PostgreSQL: Node's permissions do not allow this path/,
  );
});

test('reports a missing password in the URL', () => {
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  const failure = toFailure(error);
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect((failure as Error).message).toContain('asks for a password');
});

test('reports a server without TLS', () => {
  const failure = toFailure(new Error('The server does not support SSL connections'));
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect((failure as Error).message).toMatch(/^PostgreSQL: the server does not offer TLS: set ssl = on/);
});
