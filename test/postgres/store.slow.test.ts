/** Properties of PostgreSQL only: the locks of a frozen relay end, and a relay stops without its database. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/engine.ts';
import { newPerson } from '../support/person.ts';
import { TestRelay } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';
import { RunningCommand } from '../support/waxwing-command.ts';

test('the locks of a frozen relay are released to the others', async () => {
  const database = (await newDatabase()) ?? '';
  await using relay = await new TestRelay({ database }).start();
  const { token } = await newPerson(relay);
  const pg = (await import('pg')).default;
  // Like a relay that disappears during a transaction: the server ends the transaction after a while.
  const vanished = new pg.Client({ connectionString: database, idle_in_transaction_session_timeout: 2_000 });
  vanished.on('error', () => undefined);
  await vanished.connect();
  await vanished.query('BEGIN');
  await vanished.query('UPDATE audit_end SET sequence = sequence + 1');
  const change = relay.fetch('/api/v1/me/developer-access', {
    method: 'PUT',
    token,
    body: { enabled: true },
  });
  expect((await change).status).toBe(200);
  await vanished.end().catch(() => undefined);
});

test('a relay stops in order when its database no longer answers', async () => {
  const url = new URL((await newDatabase()) ?? '');
  const port = Number(url.port);
  let isSilent = false;
  const between = createServer({ allowHalfOpen: true }, (relay) => {
    const server = connect({ port, allowHalfOpen: true });
    for (const [from, to] of [
      [relay, server],
      [server, relay],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (bytes) => isSilent || to.write(bytes));
      from.on('end', () => isSilent || to.end());
      relay.on('close', () => server.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  url.port = `${(between.address() as AddressInfo).port}`;
  using folder = temporaryFolder();
  const args = ['relay', '--data', folder.path, '--port', '0', '--log', 'off'];
  await using relay = new RunningCommand(args, { env: { WAXWING_DATABASE_URL: url.href } });
  await relay.prints(/Press Ctrl\+C/);
  // Waits until the relay has no pending query, which would end by itself.
  const direct = new pg.Client({
    port,
    host: url.hostname,
    user: url.username,
    database: url.pathname.slice(1),
  });
  await direct.connect();
  const idle = `SELECT application_name AS name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'waxwing%' AND state = 'idle' ORDER BY 1`;
  const names = async () => (await direct.query<{ name: string }>(idle)).rows.map(({ name }) => name);
  await expect.poll(names).toEqual(expect.arrayContaining(['waxwing hints', 'waxwing relay']));
  await expect.poll(names).not.toContain('waxwing jobs');
  await direct.end();
  const [, at] = /listens on (\S+)/.exec(relay.stdout) ?? [];
  expect((await fetch(`${at}/readyz`)).status).toBe(200);
  isSilent = true;
  relay.signal('SIGTERM');
  expect(await relay.end()).toMatchObject({ code: 0 });
  between.close();
});
