/**
 * Access: each row of the table of endpoints with each kind of credential. The expectations follow from
 * rules, so a new row is covered too.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entitlement } from '../../../src/protocol/credentials.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { API_PREFIX, ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { ENTITLEMENTS } from '../../../src/protocol/entitlements.ts';
import { Problem } from '../../../src/protocol/schemas/problem.ts';
import { dumpDatabase } from '../../support/database-dump.ts';
import { apiKeyOf, newPerson, Person, TestDevice } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { quickPassword, TestRoster } from '../../support/relay-rosters.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
const endpoints = Object.entries(ENDPOINTS) as [string, Endpoint][];
const apiEntitlements = ENTITLEMENTS.api_key;
let owner: Person;

beforeAll(async () => {
  await relay.start();
  owner = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** A call that anyone could make who knows the path: valid parameters, and an empty body. */
function call(endpoint: Endpoint, authorization: string | null): Promise<Response> {
  const samples: Record<string, string> = {
    id: 'AAAAAAAAAAAAAAAAAAAAAA',
    tokenId: 'AAAAAAAAAAAAAAAAAAAAAA',
    deviceId: 'AAAAAAAAAAAAAAAAAAAAAA',
    address: `0x${'11'.repeat(20)}`,
    handle: 'nobody_has_this',
  };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => samples[name] ?? '');
  const headers = new Headers({ 'content-type': 'application/json' });
  if (authorization !== null) headers.set('authorization', authorization);
  const body = endpoint.method === 'GET' ? null : '{}';
  return fetch(relay.url + API_PREFIX + path, { method: endpoint.method, headers, body });
}

async function codeOf(response: Response): Promise<string | null> {
  if (response.status < 400) return null;
  return Problem.parse(await response.json()).code;
}

/** Invalid credentials, each created in its own way. */
const INVALID: Record<string, () => Promise<string | null>> = {
  none: async () => null,
  'an empty one': async () => 'Bearer ',
  'another scheme': async () => `Basic ${Buffer.from(`user:${owner.token}`).toString('base64')}`,
  'no scheme': async () => owner.token,
  'a session with a letter changed': async () => `Bearer ${owner.token.slice(0, -2)}AA`,
  'a session in another case': async () => `Bearer ${owner.token.toUpperCase()}`,
  'an invented API key': async () => `Bearer sk_live_${'A'.repeat(43)}`,
  'an invented group token': async () => `Bearer gtk_live_${'A'.repeat(43)}`,
  'an unknown kind': async () => `Bearer xyz_${'A'.repeat(43)}`,
  'two credentials': async () => `Bearer ${owner.token}, Bearer ${owner.token}`,
  'a session that has logged out': async () => {
    const person = await new Person(relay).login();
    await relay.call('deleteSession', { token: person.token });
    return `Bearer ${person.token}`;
  },
  'a session that has ended': async () => {
    const person = await new Person(relay).login();
    relay.ahead += 16 * 60_000;
    return `Bearer ${person.token}`;
  },
  'an API key that was revoked': async () => {
    const person = await newPerson(relay);
    const key = await apiKeyOf(person);
    const { body } = await relay.call('listApiKeys', { token: person.token });
    const params = { id: body.apiKeys[0]?.id ?? '' };
    await relay.call('revokeApiKey', { token: person.token, params });
    return `Bearer ${key}`;
  },
  'an API key that has expired': async () => {
    const person = await newPerson(relay);
    const expiresAt = new Date(relay.now() + 60_000).toISOString();
    const key = await apiKeyOf(person, { expiresAt });
    relay.ahead += 61_000;
    return `Bearer ${key}`;
  },
  'an API key while access is locked': async () => {
    const person = await newPerson(relay);
    const key = await apiKeyOf(person);
    await relay.call('putDeveloperAccess', { token: person.token, body: { enabled: false } });
    return `Bearer ${key}`;
  },
  'a group token that was revoked': async () => {
    const person = await newPerson(relay);
    const { params, createToken } = await TestRoster.begin(person);
    const secret = await createToken();
    const { body } = await relay.call('getGroup', { token: person.token, params });
    const tokenId = body.botTokens?.[0]?.id ?? '';
    await relay.call('revokeToken', { token: person.token, params: { ...params, tokenId } });
    return `Bearer ${secret}`;
  },
  'a group token whose creator has left': async () => {
    const person = await newPerson(relay);
    const group = await TestRoster.begin(person);
    const secret = await group.createToken();
    await group.leave(person);
    return `Bearer ${secret}`;
  },
};

/** All headers except the request's own. */
function comparable(response: Response, body: string): string {
  const own = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive', 'content-length'];
  const headers = [...response.headers].filter(([name]) => !own.includes(name));
  return JSON.stringify([response.status, headers, body.replace(/"requestId":"[^"]+"/, '')]);
}

describe('an invalid credential', () => {
  test.each(Object.keys(INVALID))('%s: 401 everywhere, and nothing changes', async (name) => {
    const authorization = (await INVALID[name]?.()) ?? null;
    const before = dumpDatabase(relay.folder.path);
    const answers = new Set<string>();
    for (const [, endpoint] of endpoints) {
      if (endpoint.access === 'anyone') continue;
      const response = await call(endpoint, authorization);
      const text = await response.text();
      expect(JSON.parse(text), `${endpoint.method} ${endpoint.path}`).toMatchObject({
        status: 401,
        code: 'unauthorized',
      });
      answers.add(comparable(response, text));
    }
    expect(answers.size, 'one answer, whatever was called').toBe(1);
    expect(dumpDatabase(relay.folder.path)).toBe(before);
  });

  test('the answer does not reveal the reason', async () => {
    const answers = new Set<string>();
    for (const make of Object.values(INVALID)) {
      const response = await call(ENDPOINTS.getMe, await make());
      answers.add(comparable(response, await response.text()));
    }
    expect(answers.size).toBe(1);
  });
});

/** Valid credentials, and their rights. */
const VALID: Record<string, { may: readonly Entitlement[]; make: () => Promise<string> }> = {
  session: { may: ENTITLEMENTS.session, make: async () => (await newPerson(relay)).token },
  'API key with everything': { may: apiEntitlements, make: async () => apiKeyOf(await newPerson(relay)) },
  'group token': {
    may: ENTITLEMENTS.group_token,
    make: async () => (await TestRoster.begin(await newPerson(relay))).createToken(),
  },
  ...Object.fromEntries(
    apiEntitlements.map((only) => [
      `API key with only ${only}`,
      { may: [only], make: async () => apiKeyOf(await newPerson(relay), { entitlements: [only] }) },
    ]),
  ),
  ...Object.fromEntries(
    apiEntitlements.map((lacking) => {
      const entitlements = apiEntitlements.filter((each) => each !== lacking);
      return [
        `API key without ${lacking}`,
        { may: entitlements, make: async () => apiKeyOf(await newPerson(relay), { entitlements }) },
      ];
    }),
  ),
};

describe('a valid credential opens only its own calls', () => {
  test.each(Object.keys(VALID))('%s', async (name) => {
    const { may, make } = VALID[name] ?? { may: [], make: async () => '' };
    let token = await make();
    const opens = ({ access }: Endpoint) =>
      access === 'any credential' || may.includes(access as Entitlement);
    const needing = endpoints.flatMap(([, endpoint]) => (endpoint.access === 'anyone' ? [] : [endpoint]));

    const before = dumpDatabase(relay.folder.path);
    for (const endpoint of needing.filter((each) => !opens(each))) {
      const problem = Problem.parse(await (await call(endpoint, `Bearer ${token}`)).json());
      const where = `${endpoint.method} ${endpoint.path}`;
      expect(problem, where).toMatchObject({ status: 403, code: 'missing_entitlement' });
      expect(problem.detail).toContain(endpoint.access);
    }
    expect(dumpDatabase(relay.folder.path)).toBe(before);

    for (const endpoint of needing.filter(opens)) {
      const response = await call(endpoint, `Bearer ${token}`);
      const where = `${endpoint.method} ${endpoint.path}`;
      expect(['unauthorized', 'missing_entitlement'], where).not.toContain(await codeOf(response));
      // A call that succeeds may end the credential.
      if (response.ok) token = await make();
    }
  });

  test('public calls need no credential, and ignore a wrong one', async () => {
    for (const [, endpoint] of endpoints.filter(([, { access }]) => access === 'anyone')) {
      for (const authorization of [null, `Bearer sk_live_${'A'.repeat(43)}`]) {
        expect(await codeOf(await call(endpoint, authorization))).not.toBe('unauthorized');
      }
    }
  });
});

test('private data is not served to another person, with any credential', async () => {
  const ann = await newPerson(relay);
  const apiKey = await apiKeyOf(ann);
  const secret = await TestRoster.begin(ann, { password: 'secret' });
  const botToken = await secret.createToken();
  const { body: view } = await relay.call('getGroup', { token: ann.token, params: secret.params });
  const { body: keys } = await relay.call('listApiKeys', { token: ann.token });
  const eve = await newPerson(relay);
  const eves = await TestRoster.begin(eve);
  const strangers = [eve.token, await apiKeyOf(eve), await eves.createToken()];

  const device = ann.device.id;
  const tokenId = view.botTokens?.[0]?.id ?? '';
  const sealed = eve.seal(ann, ann.device, 'hello');
  const { asRequest: _, ...copy } = sealed;
  const statement = ann.device.statement(ann.address, relay.now());
  const computer = new TestDevice();
  const link = { deviceId: computer.id };
  const waiting = { key: encodeBase64Url(computer.signing.publicKey), name: 'Laptop' };
  await relay.call('putNewDevice', { params: link, body: waiting });
  const offer = { address: ann.address, list: { sequence: 1, hash: 'A'.repeat(43) } };
  await relay.call('putLinkOffer', { token: ann.token, params: link, body: offer });
  const attempts = {
    putNewDevice: { params: link, body: { ...waiting, name: 'Taken over' } },
    putLinkOffer: { params: link, body: { ...offer, address: eve.address } },
    putSealKey: { params: { deviceId: device }, body: { sealKey: statement } },
    putDevices: { body: { deviceList: ann.list, sealKeys: [statement] } },
    revokeApiKey: { params: { id: keys.apiKeys[0]?.id ?? '' } },
    getInbox: { query: { device } },
    acknowledge: { body: { device, ids: ['A'.repeat(43)] } },
    getGroup: { params: secret.params },
    getRoster: { params: secret.params },
    putListing: { params: secret.params, body: { listed: false } },
    admitToGroup: { params: secret.params, body: { password: quickPassword('a guess').passwordProof } },
    postRosterEntry: { params: secret.params, body: { entry: secret.make(eve, { kind: 'join' }) } },
    sendGroupEnvelopes: { params: secret.params, body: { envelopes: [copy] } },
    createToken: { params: secret.params, body: { name: 'mine' } },
    revokeToken: { params: { ...secret.params, tokenId } },
  };
  const before = dumpDatabase(relay.folder.path);
  for (const token of strangers) {
    for (const [name, options] of Object.entries(attempts)) {
      const response = await relay.request(name as keyof typeof attempts, { token, ...options });
      expect(response.status, `${name} with ${token.slice(0, 8)}`).toBeGreaterThanOrEqual(400);
      const text = await response.text();
      for (const hidden of [device, tokenId, keys.apiKeys[0]?.id ?? '']) expect(text).not.toContain(hidden);
    }
  }
  expect(dumpDatabase(relay.folder.path)).toBe(before);
  for (const token of [ann.token, apiKey]) await relay.call('getMe', { token });
  await relay.call('getGroup', { token: botToken, params: secret.params });
});
