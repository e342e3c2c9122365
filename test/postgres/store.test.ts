/**
 * Properties of PostgreSQL only: replicas share one database, concurrent work is done once, and the relay reconnects
 * after the server was killed.
 */
import { expect, inject, test } from 'vitest';
import { migrate } from '../../src/relay/store/postgres/migrate.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { newPerson } from '../support/person.ts';
import { TestPostgres } from '../support/postgres.ts';
import { TestRelay } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';
import { TestRoster } from '../support/relay-rosters.ts';

const open = async (url: string) =>
  (await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined })).store;

/** Two replicas on one database. They answer under one name, as behind a load balancer. */
async function replicas() {
  const database = (await newDatabase()) ?? '';
  const one = await new TestRelay({ database }).start();
  const two = await new TestRelay({ database, publicUrl: one.url, hosts: ['127.0.0.1'] }).start();
  return {
    database,
    one,
    two,
    [Symbol.asyncDispose]: async () => void (await Promise.all([one.stop(), two.stop()])),
  };
}

test('replicas that start at the same time create the tables once', async () => {
  const url = (await newDatabase()) ?? '';
  const stores = await Promise.all([open(url), open(url), open(url)]);
  expect(await stores[2]?.readStats()).toMatchObject({ accounts: 0, groups: 0 });
  await Promise.all(stores.map((store) => store.close()));
});

test('mail sent through one replica is fetched and acknowledged through the other', async () => {
  await using both = await replicas();
  const { one, two } = both;
  const [from, to] = [await newPerson(one), await newPerson(one)];
  const body = from.seal(to, to.device, 'by way of two');
  expect((await two.call('sendEnvelopes', { token: from.token, body })).status).toBe(201);
  expect((await one.call('sendEnvelopes', { token: from.token, body })).status).toBe(200);
  const query = { device: to.device.id };
  const { body: page } = await one.call('getInbox', { token: to.token, query });
  expect(page.envelopes.map((envelope) => to.open(envelope))).toEqual(['by way of two']);
  const ids = page.envelopes.map(({ id }) => id);
  await two.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });
  expect((await one.call('getInbox', { token: to.token, query })).body.envelopes).toEqual([]);
});

test('the metrics have the number of envelopes in each commit of mail', async () => {
  const database = (await newDatabase()) ?? '';
  await using relay = await new TestRelay({ database, metrics: { port: 0 } }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const envelopes = ['one', 'two', 'three'].map((text) => from.seal(to, to.device, text));
  await relay.call('sendEnvelopes', { token: from.token, body: { envelopes } });
  await relay.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, 'four') });
  const text = await (await fetch(`http://127.0.0.1:${relay.running.metricsPort}/metrics`)).text();
  expect(text).toContain('waxwing_flush_envelopes_bucket{le="1"} 1\n');
  expect(text).toContain('waxwing_flush_envelopes_bucket{le="4"} 2\n');
  expect(text).toContain('waxwing_flush_envelopes_sum 4\n');
});

test('a credential revoked on one replica opens nothing on the other', async () => {
  await using both = await replicas();
  const person = await newPerson(both.one);
  const { token } = person;
  await both.two.call('getMe', { token });
  await both.one.call('deleteSession', { token });
  await both.two.refuse('unauthorized', 'getMe', { token });
});

test('a credential revoked on one replica soon sends nothing through the other, which just used it', async () => {
  await using both = await replicas();
  const person = await newPerson(both.one);
  const { token } = person;
  const send = async (text: string) => {
    const body = person.seal(person, person.device, text);
    return (await both.two.fetch('/api/v1/envelopes', { method: 'POST', token, body })).status;
  };
  expect(await send('before')).toBe(201);
  await both.one.call('deleteSession', { token });
  let count = 0;
  await expect.poll(() => send(`after ${count++}`)).toBe(401);
});

test('an admission at one replica opens the chain at the other', async () => {
  await using both = await replicas();
  const [ann, ben] = [await newPerson(both.one), await newPerson(both.one)];
  const { params } = await TestRoster.begin(ann, { join: 'open' });
  await both.two.call('admitToGroup', { token: ben.token, params, body: {} });
  const { body } = await both.one.call('getRoster', { token: ben.token, params });
  expect(body.entries).not.toEqual([]);
});

test('an envelope sent many times by both replicas at once is accepted once', async () => {
  await using both = await replicas();
  const [from, to] = [await newPerson(both.one), await newPerson(both.one)];
  const body = from.seal(to, to.device, 'once');
  const send = (relay: TestRelay) => relay.call('sendEnvelopes', { token: from.token, body });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(index % 2 === 0 ? both.one : both.two)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await to.inbox()).toHaveLength(1);
});

test('one of many simultaneous claims of a handle on both replicas succeeds', async () => {
  await using both = await replicas();
  const people = [];
  for (let count = 0; count < 6; count++) people.push(await newPerson(both.one));
  const statuses = await Promise.all(
    people.map(async ({ token }, index) => {
      const relay = index % 2 === 0 ? both.one : both.two;
      const body = { handle: 'wanted' };
      return (await relay.fetch('/api/v1/me/handle', { method: 'PUT', token, body })).status;
    }),
  );
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
});

test('simultaneous records on both replicas make one complete audit log', async () => {
  await using both = await replicas();
  const people = [];
  for (let count = 0; count < 4; count++) people.push(await newPerson(both.one));
  await Promise.all(
    people.flatMap(({ token }, index) =>
      [0, 1, 2].map((round) => {
        const relay = (index + round) % 2 === 0 ? both.one : both.two;
        return relay.call('putDeveloperAccess', { token, body: { enabled: round !== 1 } });
      }),
    ),
  );
  const store = await open(both.database);
  const verdict = await store.verifyAudit();
  await store.close();
  expect(verdict.problem).toBeNull();
  expect(verdict.rows).toBeGreaterThan(4);
});

test('every 201 survives a kill of the server, and the relay continues automatically', async () => {
  await using server = await new TestPostgres().start();
  await using relay = await new TestRelay({ database: await server.database() }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const accepted = new Set<string>();
  const send = async (text: string) => {
    const body = from.seal(to, to.device, text);
    const response = await relay.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
    const answer = (await response.json()) as { id: string; code?: string };
    if (response.status === 201) accepted.add(answer.id);
    else expect(answer).toMatchObject({ code: 'unavailable' });
    return response;
  };
  for (let round = 0; round < 3; round++) {
    const sending = Promise.all(Array.from({ length: 12 }, (_, index) => send(`${round} ${index}`)));
    await server.stop('SIGKILL');
    await sending;
    const refused = await send('while it is away');
    expect(refused.headers.get('retry-after')).toBe('1');
    await server.start();
    await expect.poll(async () => (await send(`after ${round}`)).status).toBe(201);
  }
  const found = new Set((await to.inbox()).map(({ id }) => id));
  expect([...accepted].filter((id) => !found.has(id))).toEqual([]);
});

test('an invented path or cursor is looked up and not found', async () => {
  await using relay = await new TestRelay().start();
  const { token } = await newPerson(relay);
  const cursors = ['begin a\0b', 'inside 9e99', 'inside NaN', 'inside 1.5', '9e99 x\0', 'NaN'];
  for (const cursor of cursors.map((text) => Buffer.from(text).toString('base64url'))) {
    for (const path of ['handles?q=abc', 'groups?q=abc', 'groups?mine=1&q=abc', 'groups?', 'me/api-keys?']) {
      const { status } = await relay.fetch(`/api/v1/${path}&cursor=${cursor}`, { token });
      expect(status, `${path} ${cursor}`).toBeLessThan(500);
    }
  }
  for (const path of [
    'groups/a%00b',
    'groups/a%00b/roster',
    'groups/%ED%A0%80',
    'blobs/a%00b',
    'links/a%00b',
  ]) {
    expect((await relay.fetch(`/api/v1/${path}`, { token })).status, path).toBeLessThan(500);
  }
});

test('a server without syncing, and a database of a newer version, are refused', async () => {
  const url = (await newDatabase()) ?? '';
  await (await open(url)).close();
  await expect(open(`${url}?options=-c%20synchronous_commit%3Doff`)).rejects.toMatchObject({
    reason: 'postgres_unsynced',
    parameters: { setting: 'synchronous_commit', value: 'off' },
  });
  const pg = (await import('pg')).default;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE schema_version SET version = 99');
  await expect(migrate(client)).rejects.toMatchObject({ reason: 'database_newer' });
  await client.end();
  await expect(open(url)).rejects.toMatchObject({ reason: 'database_newer' });
});

test('an unreachable database is reported to the operator, without its password', async () => {
  const { port } = new URL(inject('postgres'));
  const lost = open(`postgres://relay:secret@127.0.0.1:${Number(port) === 1 ? 2 : 1}/relay`);
  await expect(lost).rejects.toMatchObject({ reason: 'database_unusable' });
  await expect(lost).rejects.not.toThrow('secret');
});

test('endless mail does not keep an account from ending', async () => {
  await using both = await replicas();
  const { one, two } = both;
  const [from, to] = [await newPerson(one), await newPerson(one)];
  const copies = (count: number) =>
    Array.from({ length: count }, (_, index) => from.seal(to, to.device, `wave ${index}`));
  await one.call('sendEnvelopes', { token: from.token, body: { envelopes: copies(50) } });
  let isOver = false;
  const flood = (async () => {
    while (!isOver) {
      const body = from.seal(to, to.device, 'one more');
      await two.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
    }
  })();
  const { status } = await one.call('deleteAccount', { token: to.token }).finally(() => {
    isOver = true;
  });
  await flood;
  expect(status).toBe(204);
  const body = from.seal(to, to.device, 'too late');
  await two.refuse('not_found', 'sendEnvelopes', { token: from.token, body });
});
