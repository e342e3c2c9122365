import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { RENEWAL_WINDOW, SESSION_LIFE } from '../../../../src/protocol/figures.ts';
import { DEFAULT_QUOTAS } from '../../../../src/protocol/limits.ts';
import { signText, walletFromKey } from '../../../../src/protocol/wallet.ts';
import { newPerson, Person, TestDevice } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('a wallet logs in with a signed challenge for this relay, and the session works', async () => {
  const person = new Person(relay);
  const { body: challenge } = await relay.call('createChallenge', { body: { address: person.address } });
  expect(challenge).toMatchObject({ domain: relay.domain, uri: relay.url, version: '1', chainId: 1 });
  await person.login();
  expect(person.token).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
  const { body: me } = await relay.call('getMe', { token: person.token });
  expect(me).toMatchObject({
    address: person.address,
    handle: null,
    credential: { type: 'session', name: null },
  });
});

test('one of a hundred replays of a signed challenge succeeds', async () => {
  const login = await new Person(relay).signedChallenge();
  const replay = () => relay.fetch('/api/v1/auth/session', { method: 'POST', body: login });
  const statuses = (await Promise.all(Array.from({ length: 100 }, replay))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 401)).toHaveLength(99);
});

test('a wrong signature uses up the challenge, too', async () => {
  const person = new Person(relay);
  const login = await person.signedChallenge();
  const stranger = signText(walletFromKey(new Uint8Array(32).fill(7)), 'something else');
  await relay.refuse('unauthorized', 'createSession', { body: { ...login, signature: stranger } });
  await relay.refuse('unauthorized', 'createSession', { body: login });
});

test('a challenge is valid for its address, and for five minutes', async () => {
  const [one, other] = [new Person(relay), new Person(relay)];
  const login = await one.signedChallenge();
  await relay.refuse('unauthorized', 'createSession', { body: { ...login, address: other.address } });

  const late = await one.signedChallenge();
  relay.ahead += 5 * 60_000;
  await relay.refuse('unauthorized', 'createSession', { body: late });
  relay.ahead = 0;
});

test('the domain of a login is configured, and not read from the Host header', async () => {
  await using named = await new TestRelay({ publicUrl: 'https://relay.example' }).start();
  const { body: challenge } = await named.call('createChallenge', {
    body: { address: new Person(named).address },
  });
  expect(challenge).toMatchObject({ domain: 'relay.example', uri: 'https://relay.example' });
});

test('a certified device renews the session, each time once, within a minute', async () => {
  const person = await newPerson(relay);
  const renewal = person.renewal();
  const { body } = await relay.call('createSession', { body: renewal });
  await relay.call('getMe', { token: body.token });
  await relay.refuse('unauthorized', 'createSession', { body: renewal });

  for (const skew of [-RENEWAL_WINDOW - 1000, RENEWAL_WINDOW + 1000]) {
    const late = person.renewal(encodeTime(relay.now() + skew));
    await relay.refuse('unauthorized', 'createSession', { body: late });
  }
});

test('a renewal is refused for another relay, an unlisted device, and an address without devices', async () => {
  const person = await newPerson(relay);
  const elsewhere = person.renewal(undefined, 'other.example');
  await relay.refuse('unauthorized', 'createSession', { body: elsewhere });
  const unlisted = { ...person.renewal(), deviceId: new TestDevice().id };
  await relay.refuse('unauthorized', 'createSession', { body: unlisted });
  await relay.refuse('unauthorized', 'createSession', { body: new Person(relay).renewal() });
});

test('a session ends after its time, and at once when it is deleted', async () => {
  const person = await new Person(relay).login();
  relay.ahead = SESSION_LIFE;
  const expired = await relay.refuse('unauthorized', 'getMe', { token: person.token });
  relay.ahead = 0;

  await relay.call('deleteSession', { token: person.token });
  const deleted = await relay.refuse('unauthorized', 'getMe', { token: person.token });
  const wrong = await relay.refuse('unauthorized', 'getMe', { token: `ses_${'A'.repeat(43)}` });
  const formless = await relay.refuse('unauthorized', 'getMe', { token: 'nonsense' });
  const absent = await relay.refuse('unauthorized', 'getMe');
  const bodies = [expired, deleted, wrong, formless, absent].map(({ body }) => ({ ...body, requestId: '' }));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

test('logins from one network address are limited, and Retry-After has the wait', async () => {
  await using slow = await new TestRelay({
    limits: { rates: { ...ROOMY_RATES, login: { burst: 3, perSecond: 0.5 } } },
  }).start();
  const { address } = new Person(slow);
  for (let call = 0; call < 3; call++) await slow.call('createChallenge', { body: { address } });
  const { headers } = await slow.refuse('rate_limited', 'createChallenge', { body: { address } });
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(headers.get('ratelimit')).toBe('"login";r=0;t=6');
});

test('a forwarded address from an untrusted sender is ignored; that of a trusted proxy counts', async () => {
  const rates = { ...ROOMY_RATES, login: { burst: 5, perSecond: 0.01 } };
  const statuses = async (relay: TestRelay) => {
    const { address } = new Person(relay);
    const calls = Array.from({ length: 200 }, (_, index) =>
      fetch(`${relay.url}/api/v1/auth/challenge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.${index}.113` },
        body: JSON.stringify({ address }),
      }),
    );
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  await using alone = await new TestRelay({ limits: { rates } }).start();
  expect((await statuses(alone)).filter((status) => status === 200)).toHaveLength(5);
  await using behind = await new TestRelay({ limits: { rates }, trustedProxies: ['127.0.0.1'] }).start();
  expect((await statuses(behind)).filter((status) => status === 200)).toHaveLength(200);
});

test('logins from a network of IPv6 are limited, however many addresses it has', async () => {
  const rates = { ...ROOMY_RATES, login: { burst: 2, perSecond: 0.01 } };
  await using behind = await new TestRelay({ limits: { rates }, trustedProxies: ['127.0.0.1'] }).start();
  const { address } = new Person(behind);
  const call = async (from: string) => {
    const response = await fetch(`${behind.url}/api/v1/auth/challenge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ address }),
    });
    return response.status;
  };
  const statuses: number[] = [];
  for (let index = 0; index < 60; index++) statuses.push(await call(`2001:db8:7:${index.toString(16)}::1`));
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(await call('2001:db8:8::1')).toBe(200);
});

test('malformed requests are refused by field', async () => {
  const { body } = await relay.refuse('invalid_request', 'createChallenge', {
    body: { address: '0xABC', extra: 1 },
  });
  expect(body.errors?.map(({ path }) => path)).toEqual(['address', '']);
  await relay.refuse('invalid_request', 'createSession', { body: { address: new Person(relay).address } });
});

test('a device has its newest eight sessions; one more ends the oldest with its open polls', async () => {
  const person = await newPerson(relay);
  const renew = async (skew: number) => {
    const body = person.renewal(encodeTime(relay.now() + skew));
    return (await relay.call('createSession', { body })).body.token;
  };
  const first = await renew(0);
  const query = { device: person.device.id, wait: 20 };
  const openPoll = relay.refuse('unauthorized', 'getInbox', { token: first, query });
  const tokens: string[] = [];
  for (let count = 1; count <= DEFAULT_QUOTAS.sessions; count++) tokens.push(await renew(count));
  await openPoll;
  await relay.refuse('unauthorized', 'getMe', { token: first });
  for (const token of [...tokens, person.token]) await relay.call('getMe', { token });
});

test('a network address that requests endless challenges voids only its own oldest', async () => {
  await using behind = await new TestRelay({
    limits: { rates: ROOMY_RATES, challenges: 3 },
    trustedProxies: ['127.0.0.1'],
  }).start();
  const { address } = new Person(behind);
  const query = async (from: string) => {
    const response = await fetch(`${behind.url}/api/v1/auth/challenge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ address }),
    });
    return ((await response.json()) as { nonce: string }).nonce;
  };
  const other = await query('203.0.113.2');
  const nonces: string[] = [];
  for (let count = 0; count < 50; count++) nonces.push(await query('203.0.113.1'));
  const rows = await behind.rows<{ nonce: string }>('SELECT nonce FROM challenge ORDER BY id');
  const kept = rows.map(({ nonce }) => nonce);
  expect(kept).toEqual([other, ...nonces.slice(-3)]);
});
