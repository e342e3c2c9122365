/**
 * Links at the relay: a new computer waits for ten minutes and gets one offer. Nothing of it is secret.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceIdOf } from '../../../src/protocol/device-id.ts';
import { listReferenceOf } from '../../../src/protocol/device-list.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { LINK_LIFE } from '../../../src/protocol/linking/offer.ts';
import { DEFAULT_RELAY_LIMITS } from '../../../src/relay/settings/limits.ts';
import { dumpDatabase } from '../../support/database-dump.ts';
import { apiKeyOf, newPerson, type Person, TestDevice } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** A waiting computer. */
function newComputer(name = 'Waxwing (Linux)') {
  const device = new TestDevice();
  const key = encodeBase64Url(device.signing.publicKey);
  return { device, params: { deviceId: device.id }, body: { key, name } };
}

async function waiting(computer = newComputer()) {
  const { params, body } = computer;
  const answer = await relay.call('putNewDevice', { params, body });
  return { ...computer, expiresAt: Date.parse(answer.body.expiresAt) };
}

/** A session that a device has opened. */
async function sessionOf(person: Person, device: TestDevice): Promise<string> {
  const body = person.renewal(undefined, undefined, device);
  return (await relay.call('createSession', { body })).body.token;
}

function offerOf({ address, list }: Person) {
  if (!list) throw new Error('this person has published no list');
  return { address, list: listReferenceOf(address, list) };
}

test('a computer waits for ten minutes; a session with its id sees its key and its chosen name', async () => {
  const { params, body, expiresAt } = await waiting();
  expect(expiresAt).toBeGreaterThan(relay.now() + LINK_LIFE - 60_000);
  expect(expiresAt).toBeLessThanOrEqual(relay.now() + LINK_LIFE);
  const shown = await relay.call('getNewDevice', { token: ann.token, params });
  expect(shown.body).toEqual({ ...body, expiresAt: new Date(expiresAt).toISOString() });
  await relay.refuse('unauthorized', 'getNewDevice', { params });
  await relay.refuse('missing_entitlement', 'getNewDevice', { token: await apiKeyOf(ann), params });
  await relay.refuse('not_found', 'getLinkOffer', { params });
});

test('an offer is made once, by a session, for its own address, and anyone who asks gets it', async () => {
  const { params } = await waiting();
  const body = offerOf(ann);
  const eve = await newPerson(relay);
  await relay.refuse('unauthorized', 'putLinkOffer', { params, body });
  await relay.refuse('missing_entitlement', 'putLinkOffer', { token: await apiKeyOf(ann), params, body });
  await relay.refuse('invalid_request', 'putLinkOffer', { token: eve.token, params, body });
  await relay.refuse('not_found', 'getLinkOffer', { params });
  for (let time = 0; time < 2; time++) {
    expect((await relay.call('putLinkOffer', { token: ann.token, params, body })).body).toEqual(body);
    expect((await relay.call('getLinkOffer', { params })).body).toEqual(body);
  }
  await relay.refuse('link_conflict', 'putLinkOffer', { token: eve.token, params, body: offerOf(eve) });
  const other = { ...body, list: { ...body.list, sequence: 2 } };
  await relay.refuse('link_conflict', 'putLinkOffer', { token: ann.token, params, body: other });
  expect((await relay.call('getLinkOffer', { params })).body).toEqual(body);
});

test('one of two simultaneous offers is accepted', async () => {
  const { params } = await waiting();
  const people = [ann, await newPerson(relay), await newPerson(relay)];
  const answers = await Promise.all(
    people.map((person) =>
      relay.request('putLinkOffer', { token: person.token, params, body: offerOf(person) }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const winner = people[answers.findIndex(({ status }) => status === 201)];
  expect((await relay.call('getLinkOffer', { params })).body.address).toBe(winner?.address);
});

test('repeating the request changes nothing; another name or key under its id is refused', async () => {
  const computer = await waiting();
  const { params, body } = computer;
  relay.ahead += 60_000;
  expect((await waiting(computer)).expiresAt).toBe(computer.expiresAt);
  const renamed = { ...body, name: 'Somebody else' };
  await relay.refuse('link_conflict', 'putNewDevice', { params, body: renamed });
  const { body: others } = newComputer();
  await relay.refuse('invalid_request', 'putNewDevice', { params, body: others });
  expect((await relay.call('getNewDevice', { token: ann.token, params })).body).toMatchObject(body);
  expect(encodeBase64Url(deviceIdOf(decodeBase64Url(body.key)))).toBe(params.deviceId);
});

test('after ten minutes it is deleted, also from the database', async () => {
  await ann.login();
  const { params, expiresAt } = await waiting();
  await relay.call('putLinkOffer', { token: ann.token, params, body: offerOf(ann) });
  expect(dumpDatabase(relay.folder.path)).toContain('Waxwing (Linux)');
  relay.ahead += expiresAt - relay.now();
  await ann.login();
  await relay.refuse('not_found', 'getNewDevice', { token: ann.token, params });
  await relay.refuse('not_found', 'getLinkOffer', { params });
  await relay.refuse('not_found', 'putLinkOffer', { token: ann.token, params, body: offerOf(ann) });
  // The job runs at every start.
  await relay.stop();
  await relay.start();
  await expect.poll(() => dumpDatabase(relay.folder.path)).not.toContain('Waxwing (Linux)');
  // The same computer may wait again.
  await ann.login();
  await waiting();
});

test('a flooding network address waits after ten, and does not prevent others from waiting or being offered', async () => {
  await using own = new TestRelay({
    limits: { rates: { ...ROOMY_RATES, link: DEFAULT_RELAY_LIMITS.rates.link } },
    trustedProxies: ['127.0.0.1'],
  });
  await own.start();
  const put = async (from: string) => {
    const { params, body } = newComputer();
    const { status, headers } = await fetch(`${own.url}/api/v1/links/${params.deviceId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    return { status, params, retryAfter: Number(headers.get('retry-after')) };
  };
  const first = await put('203.0.113.5');
  for (let count = 1; count < 10; count++) expect((await put('203.0.113.5')).status).toBe(201);
  const refused = await put('203.0.113.5');
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.retryAfter).toBeGreaterThan(60);
  expect(refused.retryAfter).toBeLessThanOrEqual(360);
  expect((await put('203.0.113.6')).status).toBe(201);
  const dan = await newPerson(own);
  await own.call('putLinkOffer', { token: dan.token, params: first.params, body: offerOf(dan) });

  // A /48 has 65,536 times as many addresses of one subscriber.
  const statuses: number[] = [];
  for (let count = 0; count < 120; count++) {
    statuses.push((await put(`2001:db8:1:${count.toString(16)}::1`)).status);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(100);
  expect((await put('2001:db8:2::1')).status).toBe(201);
});

test('removing a device deletes the data of its sessions, and none of others', async () => {
  const dan = await newPerson(relay);
  const phone = new TestDevice();
  await dan.publishDevices([dan.device, phone]);
  const sessions = [await sessionOf(dan, dan.device), await sessionOf(dan, phone)];
  const wallet = dan.token;
  await relay.call('putDeveloperAccess', { token: wallet, body: { enabled: true } });
  const group = await TestRoster.begin(dan);
  const made = [];
  for (const token of [...sessions, wallet]) {
    const key = await relay.call('createApiKey', { token, body: { name: 'key' } });
    const bot = await relay.call('createToken', { token, params: group.params, body: { name: 'bot' } });
    made.push([key.body.secret, bot.body.secret]);
  }
  await dan.publishDevices([dan.device]);
  const [here = [], there = [], byWallet = []] = made;
  for (const token of [...here, ...byWallet]) await relay.call('getMe', { token });
  for (const token of there) await relay.refuse('unauthorized', 'getMe', { token });
  const { body } = await relay.call('listApiKeys', { token: wallet });
  expect(body.apiKeys.map(({ revokedAt }) => revokedAt !== null)).toEqual([false, true, false]);
  await relay.refuse('unauthorized', 'createApiKey', { token: sessions[1] ?? '', body: { name: 'late' } });
});
