/**
 * Two relays on one database, as behind a load balancer: a credential revoked at one is revoked at the other.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { type Relay, startRelay } from '../../../src/relay/index.ts';
import { BODY_TIME } from '../../../src/relay/routes/endpoint.ts';
import { eventually } from '../../support/engine.ts';
import { apiKeyOf, newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const first = new TestRelay({ admin: true });
let second: Relay;
let ann: Person;
beforeAll(async () => {
  await first.start();
  second = await startRelay({ dataDirectory: first.folder.path });
  ann = await newPerson(first);
});
afterAll(async () => {
  await second.close();
  await first[Symbol.asyncDispose]();
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Opens a poll at the second relay. */
async function startPoll(to: Person, token: string): Promise<{ status: number; body: unknown }> {
  const path = `/api/v1/inbox?device=${to.device.id}&wait=20`;
  const response = await fetch(second.url + path, bearer(token));
  return { status: response.status, body: await response.json() };
}

/** Resolves when the second relay has an open poll. */
async function untilPolling(): Promise<void> {
  await eventually(
    async () => second.heldPolls,
    (openPoll) => openPoll === 1,
  );
}

const REVOCATIONS: [string, (to: Person, key: string) => Promise<unknown>][] = [
  [
    'an API key was revoked',
    async (to, key) => {
      const { body } = await first.call('getMe', { token: key });
      await first.call('revokeApiKey', { token: to.token, params: { id: body.credential.id } });
    },
  ],
  [
    'developer access was locked',
    (to) => first.call('putDeveloperAccess', { token: to.token, body: { enabled: false } }),
  ],
  [
    'the account was suspended',
    (to) =>
      runAdminCommand(first.folder.path, 'suspend', { account: { address: to.address }, suspended: true }),
  ],
];

test.each(REVOCATIONS)(
  '%s at one relay: an open poll at the other delivers nothing that was sent later',
  async (what, revoke) => {
    const ben = await newPerson(first);
    const key = await apiKeyOf(ben);
    const openPoll = startPoll(ben, key);
    await untilPolling();
    await revoke(ben, key);
    const body = ann.seal(ben, ben.device, 'sent after');
    await first.call('sendEnvelopes', { token: ann.token, body });
    const [status, code] = what.includes('suspended') ? [403, 'account_suspended'] : [401, 'unauthorized'];
    expect(await openPoll).toMatchObject({ status, body: { code } });
  },
);

test('a poll open at the other relay delivers while its credential is valid', async () => {
  const ben = await newPerson(first);
  const openPoll = startPoll(ben, ben.token);
  await untilPolling();
  const body = ann.seal(ben, ben.device, 'hello');
  await first.call('sendEnvelopes', { token: ann.token, body });
  expect(await openPoll).toMatchObject({ status: 200, body: { envelopes: { length: 1 } } });
});

test('a call whose body arrives after the end of its session does nothing', async () => {
  const clock = new StoppedClock();
  await using other = await new TestRelay({ dataDirectory: first.folder.path, steady: clock }).start();
  const ben = await newPerson(first);
  const body = JSON.stringify({ displayName: 'Not any more' });
  const socket = connect(other.running.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    [
      'PUT /api/v1/me/profile HTTP/1.1',
      `Host: 127.0.0.1:${other.running.port}`,
      `Authorization: Bearer ${ben.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
  // A whole call follows: by now the session was looked up.
  expect((await fetch(`${other.url}/api/v1/me`, bearer(ben.token))).status).toBe(200);
  clock.pass(BODY_TIME + 1);
  await first.call('deleteSession', { token: ben.token });
  socket.write(body);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
  await ben.login();
  expect((await first.call('getMe', { token: ben.token })).body.displayName).toBeNull();
});

test('a session that ended at one relay reads and changes nothing at the other, at once', async () => {
  const ben = await newPerson(first);
  const query = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' };
    const given = body ? { body: JSON.stringify(body) } : {};
    return (await fetch(`${second.url}/api/v1${path}`, { method, headers, ...given })).status;
  };
  // The other relay has looked it up a moment ago.
  expect(await query('GET', '/me')).toBe(200);
  await first.call('deleteSession', { token: ben.token });
  expect(await query('PUT', '/me/profile', { displayName: 'Not any more' })).toBe(401);
  expect(await query('GET', '/me')).toBe(401);
});
