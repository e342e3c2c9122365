/**
 * A relay on PostgreSQL that is restored to a point in time, as docs/operations.md describes: a base backup, the archive of
 * the log, and a time. The settings are those of that page.
 */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { eventually, temporaryFolder } from '../support/engine.ts';
import { newPerson } from '../support/person.ts';
import { Population } from '../support/populated-relay.ts';
import { TestPostgres } from '../support/postgres.ts';
import { TestRelay } from '../support/relay.ts';

const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** The settings of the documentation page, with another archive folder. */
function setting(name: string, archive: string): string {
  const [, value] = new RegExp(`^${name} = '(.*)'$`, 'm').exec(PAGE) ?? [];
  if (value === undefined) throw new Error(`the page does not set ${name}`);
  return value.replaceAll('/srv/waxwing/archive', archive);
}

/** Resolves when all transactions committed so far are in the archive. */
async function archived(server: TestPostgres): Promise<void> {
  const [end] = await server.query<{ name: string }>(
    'postgres',
    'SELECT pg_walfile_name(pg_switch_wal()) AS name',
  );
  await eventually(
    () =>
      server.query<{ last: string | null }>(
        'postgres',
        'SELECT last_archived_wal AS last FROM pg_stat_archiver',
      ),
    ([found]) => (found?.last ?? '') >= (end?.name ?? ''),
  );
}

test('a relay is restored to the time before a mistake, and continues from there', async () => {
  using folder = temporaryFolder();
  const [archive, backup] = [join(folder.path, 'archive'), join(folder.path, 'backup')];
  mkdirSync(archive);
  for (const path of [folder.path, archive]) chmodSync(path, 0o777);
  await using server = await new TestPostgres({
    archive_mode: 'on',
    archive_command: setting('archive_command', archive),
  }).start();
  const database = await server.database();
  const relay = await new TestRelay({ database, admin: true }).start();
  const people = await Population.at(relay);
  await server.backUp(backup);

  const { ann, ben, cat } = people;
  await people.send(relay, ['after the backup']);
  await cat.publishDevices();
  const late = await newPerson(relay);
  const seen = await people.seen(relay);
  const lateKeys = () => relay.call('getKeys', { token: ann.token, params: { address: late.address } });
  const { body: keysOfLate } = await lateKeys();
  const [moment] = await server.query<{ now: string }>(database, 'SELECT clock_timestamp()::text AS now');

  const dan = await newPerson(relay);
  await people.send(relay, ['lost']);
  await server.query(database, 'DELETE FROM delivery; UPDATE queue SET envelopes = 0, bytes = 0');
  await archived(server);
  await relay.stop();
  await server.stop('SIGKILL');

  await using restored = await new TestPostgres().recover(backup, {
    archive_mode: 'off',
    restore_command: setting('restore_command', archive),
    recovery_target_time: moment?.now ?? '',
  });
  const url = restored.url(new URL(database).pathname.slice(1));
  const { store } = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  expect((await store.verifyAudit()).problem).toBeNull();
  await store.close();
  const port = Number(new URL(relay.url).port);
  await using next = await new TestRelay({
    database: url,
    dataDirectory: relay.folder.path,
    port,
  }).start();
  expect(await people.seen(next)).toEqual(seen);
  expect((await lateKeys()).body).toEqual(keysOfLate);
  // Later data is lost. Devices publish it again or send it again.
  await next.refuse('unauthorized', 'getMe', { token: dan.token });
  const { list } = dan;
  await dan.login();
  await next.call('putDevices', { token: dan.token, body: { deviceList: list, sealKeys: [] } });
  await people.send(next, ['sent again']);
  const inbox = await ben.inbox();
  expect(inbox.map((envelope) => ben.open(envelope)).slice(-2)).toEqual(['after the backup', 'sent again']);
  relay.folder[Symbol.dispose]();
});
