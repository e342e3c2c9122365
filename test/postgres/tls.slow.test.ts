/**
 * TLS to PostgreSQL, by the parameters of libpq that docs/operations.md names.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { makeSignedCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/engine.ts';
import { TestPostgres } from '../support/postgres.ts';

const folder = temporaryFolder();
const other = temporaryFolder();
const server = new TestPostgres();
let authority = '';
let stranger = '';
let url: URL;
beforeAll(async () => {
  const made = makeSignedCertificate(folder.path, ['localhost']);
  authority = made.authorityFile;
  stranger = makeSignedCertificate(other.path, ['localhost']).authorityFile;
  await server.start();
  url = new URL(await server.database());
  server.ownFile('server.crt', readFileSync(made.certificateFile, 'utf8'));
  server.ownFile('server.key', readFileSync(made.keyFile, 'utf8'));
  await server.query('postgres', 'ALTER SYSTEM SET ssl = on');
  await server.query('postgres', 'SELECT pg_reload_conf()');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  other[Symbol.dispose]();
});

function open(host: string, rootCertificate: string) {
  const tls = new URL(url);
  tls.hostname = host;
  tls.searchParams.set('sslmode', 'verify-full');
  tls.searchParams.set('sslrootcert', rootCertificate);
  return openPostgresStore({ url: tls.href, queueBytes: 1e9, onWarning: () => undefined });
}

test('a relay connects to a server whose certificate a private authority has signed', async () => {
  const copy = join(folder.path, 'a copy of the authority.pem');
  copyFileSync(authority, copy);
  const { store } = await open('localhost', copy);
  await store.checkHealth();
  const [session] = await server.query<{ ssl: boolean }>(
    'postgres',
    "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'waxwing relay' LIMIT 1",
  );
  expect(session).toEqual({ ssl: true });
  await store.close();
});

test('a certificate of another authority, or for another name, is refused with the reason', async () => {
  await expect(open('localhost', stranger)).rejects.toThrow(/certificate/);
  await expect(open('127.0.0.1', authority)).rejects.toThrow(/IP|altnames/);
});

test('a missing authority file is reported', async () => {
  await expect(open('localhost', join(folder.path, 'none.pem'))).rejects.toThrow(/none\.pem/);
});
