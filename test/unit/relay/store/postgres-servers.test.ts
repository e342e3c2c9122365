import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readServers } from '../../../../src/relay/store/postgres/servers.ts';

describe('the servers that a database URL names', () => {
  test('are one, or each of a list with the other parts in common', () => {
    expect(readServers('postgres://u:p@db/waxwing')).toEqual(['postgres://u:p@db/waxwing']);
    expect(readServers('postgresql://u:p%2C@db-1:5433,[::1]:5432,db-3/waxwing?sslmode=verify-full')).toEqual([
      'postgresql://u:p%2C@db-1:5433/waxwing?sslmode=verify-full',
      'postgresql://u:p%2C@[::1]:5432/waxwing?sslmode=verify-full',
      'postgresql://u:p%2C@db-3/waxwing?sslmode=verify-full',
    ]);
    expect(readServers('postgres://u:a,b@one,two,one/w')).toEqual([
      'postgres://u:a,b@one/w',
      'postgres://u:a,b@two/w',
    ]);
  });

  test('keep a socket unchanged', () => {
    for (const url of ['postgres:///w?host=%2Frun%2Fpostgresql', 'postgres://u@%2Frun%2Fpostgresql/w']) {
      expect(readServers(url)).toEqual([url]);
    }
  });

  test('accept each known value that requires a writable server, and no others', () => {
    for (const words of ['any', 'read-write', 'primary']) {
      const url = `postgres://one,two/w?target_session_attrs=${words}`;
      expect(readServers(url)).toEqual(['postgres://one/w', 'postgres://two/w']);
    }
    for (const wanted of ['standby', 'read-only', 'prefer-standby']) {
      expect(() => readServers(`postgres://one,two/w?target_session_attrs=${wanted}`)).toThrow(wanted);
    }
    expect(() => readServers('postgres://one/w?target_session_attrs=nonsense')).toThrow(
      'unknown value of target_session_attrs. Use one of: any, read-write, primary.',
    );
  });

  test('are refused with an unknown mode of TLS', () => {
    for (const mode of ['disable', 'require', 'verify-full', 'no-verify'])
      expect(readServers(`postgres://one/w?sslmode=${mode}`)).toHaveLength(1);
    for (const query of ['sslmode=bogus', 'sslmode=', 'sslmode=disable&sslmode=bogus'])
      expect(() => readServers(`postgres://one/w?${query}`)).toThrow('unknown value of sslmode. Use one of:');
  });

  test.each([
    'one,two/w',
    'mysql://one/w',
    'postgres://one,,two/w',
    'postgres://one,/w',
    'postgres://one:x,two/w',
    'postgres://one:1:2,two/w',
    'postgres://one,two/w?host=three',
    'postgres:///w?host=one,two',
    'postgres://u:se/cret@one/w',
    'postgres://u:se#cret@one/w',
    'postgres://one:99999/w',
  ])('cannot be read from %s', (url) => {
    expect(() => readServers(url)).toThrow('malformed');
  });

  test('are limited, and the refusal does not repeat the password', () => {
    const names = Array.from({ length: 9 }, (_, index) => `db-${index}`);
    expect(() => readServers(`postgres://u:secret@${names.join()}/w`)).toThrow('too many');
    expect(() => readServers('postgres://u:secret@one,,two/w')).not.toThrow('secret');
  });

  test.each(['sslrootcert', 'sslcert', 'sslkey'])('are refused if the file of %s cannot be read', (name) => {
    const urlWith = (file: string) => `postgres://u:secret@one/w?sslmode=verify-full&${name}=${file}`;
    const missing = join(import.meta.dirname, 'missing.pem');
    expect(() => readServers(urlWith(missing))).toThrow(
      `The file ${missing}, named by ${name} in the URL of the database, cannot be read: there is no such file. Put the file there,`,
    );
    expect(() => readServers(urlWith(import.meta.dirname))).toThrow('cannot be read: it is a folder.');
    expect(readServers(urlWith(import.meta.filename))).toHaveLength(1);
  });
});
