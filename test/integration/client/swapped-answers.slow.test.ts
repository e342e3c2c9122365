/**
 * A relay with true answers to the wrong questions: each call gets the answer of every other call, and
 * of the same call about something else. Each result is about the request, or there is none.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayApi } from '../../../src/client/api.ts';
import { RelayHttp, RelayUnreachable } from '../../../src/client/http.ts';
import { type Credential, SecretCredential, WalletSession } from '../../../src/client/session.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName, type ResponseOf } from '../../../src/protocol/endpoints.ts';
import { entryHash, openEntry } from '../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../src/protocol/roster/forms.ts';
import { HostileRelay, type Passing } from '../../support/hostile-relay/proxy.ts';
import { apiKeyOf, newPerson, type Person, TestDevice } from '../../support/person.ts';
import { beginning, TestRoster } from '../../support/relay-rosters.ts';

type AnswerOf<N extends EndpointName> = ResponseOf<(typeof ENDPOINTS)[N]>;

interface Call {
  name: EndpointName;
  /** Sends the same request to the relay each time. */
  make: () => Promise<unknown>;
  /** True if the answer belongs to this call. */
  matches: (answer: unknown) => boolean;
}

let hostile: HostileRelay;
const calls: Call[] = [];
beforeAll(async () => {
  hostile = await HostileRelay.start();
  await prepare();
});
afterAll(() => hostile[Symbol.asyncDispose]());

function add<N extends EndpointName>(
  name: N,
  make: () => Promise<AnswerOf<N>>,
  matches: (answer: AnswerOf<N>) => boolean,
): void {
  // The schema has already validated the answer.
  calls.push({ name, make, matches: matches as Call['matches'] });
}

function apiOf(credential: (http: RelayHttp) => Credential): RelayApi {
  const http = new RelayHttp(hostile.url);
  return new RelayApi(http, credential(http));
}

/** With a session from before the relay begins to lie. */
async function sessionOf({ wallet, address, device }: Person): Promise<RelayApi> {
  const owner = { wallet, address, deviceId: device.id, deviceKey: device.signing };
  const api = apiOf((http) => new WalletSession(http, owner));
  await api.me();
  return api;
}

async function prepare(): Promise<void> {
  const [ann, ben] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
  const sessions = [await sessionOf(ann), await sessionOf(ben)];
  const groups = [
    await TestRoster.begin(ann, { name: 'Alpha' }, [ben]),
    await TestRoster.begin(ann, { name: 'Beta' }, [ben]),
  ];
  // Signed while their first lists are the newest.
  const changes = new Map<TestRoster, RosterEntry>();
  for (const group of groups) changes.set(group, await group.change(ann, { description: 'one' }));
  for (const [index, person] of [ann, ben].entries()) {
    const session = sessions[index];
    if (session) await prepareAccount(person, session, index);
  }
  const [annApi] = sessions;
  if (!annApi) throw new Error('Ann has no session');
  await prepareDirectory(annApi, [ann, ben]);
  for (const [index, [group, entry]] of [...changes].entries())
    await prepareGroup(annApi, group, entry, index, ann, ben);
  for (const [index, secret] of [await apiKeyOf(ann), await groups[0]?.createToken()].entries()) {
    const api = apiOf(() => new SecretCredential(secret ?? ''));
    const { credential } = await api.me();
    add(
      'getMe',
      () => api.me(),
      (me) => me.address === ann.address && me.credential.id === credential.id,
    );
    const envelope = ann.seal(ben, ben.device, `by secret ${index}`);
    if (index === 0) {
      const known = await api.sendEnvelopes([envelope]);
      add(
        'sendEnvelopes',
        () => api.call('sendEnvelopes', { body: { envelopes: [envelope] } }),
        (answer) => 'results' in answer && idsOf(answer.results).join() === idsOf(known).join(),
      );
    }
  }
}

/** Calls of an account about itself. */
async function prepareAccount(person: Person, api: RelayApi, index: number): Promise<void> {
  const { address, device } = person;
  const isOwn = (me: AnswerOf<'getMe'>) => me.address === address && me.credential.type === 'session';
  add('getMe', () => api.me(), isOwn);
  for (const handle of [`first_${index}`, `second_${index}`])
    add(
      'putHandle',
      () => api.claimHandle(handle),
      (me) => isOwn(me) && me.handle === handle,
    );
  for (const name of [`First ${index}`, `Second ${index}`])
    add(
      'putProfile',
      () => api.saveProfile(name),
      (me) => isOwn(me) && me.displayName === name,
    );
  const expires = encodeTime(hostile.relay.now() + 3_600_000);
  for (const uses of [1 + 2 * index, 2 + 2 * index]) {
    const make = () => api.createInvitation(uses, expires);
    add('createInvitation', make, (answer) => answer.uses === uses && answer.expires === expires);
  }
  for (const enabled of [false, true]) {
    const make = () => api.call('putDeveloperAccess', { body: { enabled } });
    add('putDeveloperAccess', make, (me) => isOwn(me) && me.developerApi === enabled);
  }
  for (const name of [`key a ${index}`, `key b ${index}`]) {
    const make = () => api.call('createApiKey', { body: { name } });
    add('createApiKey', make, (key) => key.name === name);
    const { id } = await api.call('putDeveloperAccess', { body: { enabled: true } }).then(make);
    add('revokeApiKey', () => api.call('revokeApiKey', { params: { id } }), isNothing);
  }
  for (const others of [1, 2]) {
    const { deviceList, sealKeys } = person.devicesBody([
      device,
      ...Array.from({ length: others }, () => new TestDevice()),
    ]);
    const make = () => api.putDevices(deviceList, sealKeys);
    add('putDevices', make, (keys) => keys.deviceList.signature === deviceList.signature);
    person.list = deviceList;
  }
  const { sealing } = device;
  device.rotate();
  const sealKey = device.statement(address, hostile.relay.now());
  // Messages of the preparation are for the key published before the call.
  device.sealing = sealing;
  add(
    'putSealKey',
    () => api.putSealKey(device.id, sealKey, null),
    ({ sealKeys }) => sealKeys.some(({ signature }) => signature === sealKey.signature),
  );
  for (const limit of [1, 10])
    add(
      'getInbox',
      () => api.inbox(device.id, { limit, wait: 0 }),
      (page) => page.device === device.id && page.envelopes.length <= limit,
    );
  for (const ids of [['one'], ['one', 'two']]) {
    const make = () => api.call('acknowledge', { body: { device: device.id, ids } });
    add('acknowledge', make, ({ acknowledged }) => acknowledged <= ids.length);
  }
  for (const sequence of [1, 2]) {
    const computer = new TestDevice();
    const params = { deviceId: computer.id };
    const waiting = { key: encodeBase64Url(computer.signing.publicKey), name: `Laptop ${sequence}` };
    const offer = { address, list: { sequence, hash: encodeBase64Url(randomBytes(32)) } };
    const open = new RelayHttp(hostile.url);
    add(
      'putNewDevice',
      () => open.call('putNewDevice', { params, body: waiting }),
      ({ key, name }) => key === waiting.key && name === waiting.name,
    );
    add(
      'getNewDevice',
      () => api.call('getNewDevice', { params }),
      ({ key }) => key === waiting.key,
    );
    add(
      'putLinkOffer',
      () => api.call('putLinkOffer', { params, body: offer }),
      ({ list }) => list.sequence === sequence && list.hash === offer.list.hash,
    );
    // It names no computer: the person and the lists identify it.
    add(
      'getLinkOffer',
      () => open.call('getLinkOffer', { params }),
      (answer) => answer.address.startsWith('0x'),
    );
  }
  const http = new RelayHttp(hostile.url);
  const login = await person.signedChallenge();
  const logIn = () => http.call('createSession', { body: login });
  add('createSession', logIn, (session) => session.address === address && session.token.startsWith('ses_'));
  add(
    'listApiKeys',
    () => api.call('listApiKeys', { query: {} }),
    ({ apiKeys }) => Array.isArray(apiKeys),
  );
}

/** Calls about other people. */
async function prepareDirectory(api: RelayApi, people: Person[]): Promise<void> {
  for (let index = 0; index < 2; index++) {
    const { device } = await newPerson(hostile.relay, new TestDevice('hybrid'));
    const digests = [device.pq ?? ''];
    add(
      'getPqKeys',
      () => api.call('getPqKeys', { body: { digests } }),
      ({ keys }) => Object.values(keys).join() === device.pqKey,
    );
  }
  for (const [index, { address }] of people.entries()) {
    add(
      'getKeys',
      () => api.call('getKeys', { params: { address } }),
      (keys) => keys.address === address && (keys.profile?.address ?? address) === address,
    );
    add(
      'getKeyHistory',
      () => api.keyHistory(address, 0),
      (history) => history.address === address,
    );
    const ranges = [
      { address, after: 0, upTo: 1 },
      { address, after: 1, upTo: 2 },
    ];
    for (const wants of [ranges, ranges.slice(0, 1)])
      add(
        'getKeyHistories',
        () => api.call('getKeyHistories', { body: { wants } }),
        ({ histories }) => histories.length === wants.length && histories[0]?.lists[0]?.sequence === 1,
      );
    for (const handle of [`second_${index}`, `@second_${index}`])
      add(
        'getHandle',
        () => api.call('getHandle', { params: { handle } }),
        (record) => record.handle === `second_${index}`,
      );
    for (const q of [`second_${index}`, `s`])
      add(
        'searchHandles',
        () => api.call('searchHandles', { query: { q, limit: 2 } }),
        ({ handles }) => handles.length <= 2 && handles.every(({ handle }) => handle.startsWith(q)),
      );
  }
  add(
    'searchHandles',
    () => api.call('searchHandles', { query: { verified: true } }),
    ({ handles }) => handles.every(({ verified }) => verified),
  );
  for (const q of ['alp', 'BETA', ''])
    add(
      'searchGroups',
      () => api.call('searchGroups', { query: { q } }),
      ({ groups }) => groups.every(({ name }) => name.toLowerCase().includes(q.toLowerCase())),
    );
}

async function prepareGroup(
  api: RelayApi,
  group: TestRoster,
  entry: RosterEntry,
  index: number,
  ann: Person,
  ben: Person,
): Promise<void> {
  const { params } = group;
  const isThis = ({ id }: { id: string }) => id === group.id;
  add('getGroup', () => api.group(group.id), isThis);
  const { epoch, hash } = group.state;
  // The same entry again is answered as the first time.
  add(
    'postRosterEntry',
    () => api.call('postRosterEntry', { params, body: { entry } }),
    (place) => place.epoch === epoch && place.hash === hash,
  );
  for (const after of [0, 1]) {
    const before = group.entries[after - 1];
    const previous = before ? entryHash(before) : null;
    add(
      'getRoster',
      () => api.call('getRoster', { params, query: { after } }),
      // The fold accepts only entries that follow its last one.
      ({ entries: [first, ...rest] }) =>
        first !== undefined &&
        (openEntry(first)?.json.previous !== previous ||
          [first, ...rest].every(({ body }, at) => body === group.entries[after + at]?.body)),
    );
  }
  const made = beginning(ann, { name: `New ${index}` });
  add(
    'createGroup',
    () => api.call('createGroup', { body: made.body }),
    (view) => view.id === made.groupId && view.name === `New ${index}` && view.creator === ann.address,
  );
  add(
    'createToken',
    () => api.call('createToken', { params, body: { name: `bot ${index}` } }),
    (token) => token.name === `bot ${index}` && token.secret.startsWith('gtk_live_'),
  );
  for (const text of ['one', 'two']) {
    const single = ann.seal(ben, ben.device, text);
    const batch = [ann.seal(ben, ben.device, `${text} a`), ann.seal(ben, ben.device, `${text} b`)];
    const posted = batch.map((copy) => ({ ...copy, recipientDeviceKey: ben.device.sealKeyText }));
    const first = await api.call('sendEnvelopes', { body: single });
    const ids = idsOf(await api.sendEnvelopes(batch)).join();
    add(
      'sendEnvelopes',
      () => api.call('sendEnvelopes', { body: single }),
      (answer) => 'id' in answer && 'id' in first && answer.id === first.id,
    );
    add(
      'sendEnvelopes',
      () => api.call('sendEnvelopes', { body: { envelopes: batch } }),
      (answer) => 'results' in answer && idsOf(answer.results).join() === ids,
    );
    const expected = idsOf((await api.sendToGroup(group.id, posted)).results).join();
    add(
      'sendGroupEnvelopes',
      () => api.sendToGroup(group.id, posted),
      ({ results }) => idsOf(results).join() === expected,
    );
  }
}

function idsOf(results: readonly AnswerOf<'sendGroupEnvelopes'>['results'][number][]): string[] {
  return results.map((result) => (result.status === 'rejected' ? 'rejected' : result.id));
}

function isNothing(answer: unknown): boolean {
  return answer === undefined;
}

/** A call and its true answer. */
interface Answered {
  call: Call;
  passing: Passing;
  /** The call, and the fields of its answer: one call may have answers of two kinds. */
  form: string;
}

/** Pairs of answers: all of the same call, and of any two forms the first ones. */
function* pairsOf(all: readonly Answered[]): Generator<[asked: Answered, other: Answered]> {
  const firsts = new Set([...new Map(all.toReversed().map((each) => [each.form, each])).values()]);
  for (const exchange of all) {
    for (const other of all) {
      if (other === exchange) continue;
      const isSameCall = other.call.name === exchange.call.name;
      if (isSameCall || (firsts.has(exchange) && firsts.has(other))) yield [exchange, other];
    }
  }
}

test('the valid answer to another call is never accepted, for any two calls', async () => {
  const answers: Answered[] = [];
  let last: Passing | null = null;
  hostile.lie((passing) => {
    last = structuredClone(passing);
  });
  for (const call of calls) {
    last = null;
    const answer = await call.make();
    expect(call.matches(answer), `${call.name}, answered truly`).toBe(true);
    const passing = last as Passing | null;
    if (!passing) throw new Error(`${call.name} did not ask the relay`);
    const fields = Object.keys(passing.body ?? {}).toSorted();
    answers.push({ call, passing, form: `${call.name} ${fields}` });
  }
  hostile.answerTruthfully();
  const believed: string[] = [];
  let [refused, pairs] = [0, 0];
  for (const [{ call: exchange }, { call, passing }] of pairsOf(answers)) {
    pairs++;
    hostile.babble(
      () => true,
      (_, response) => {
        response.writeHead(passing.status, { 'content-type': 'application/json' });
        response.end(passing.body === null ? '' : JSON.stringify(passing.body));
      },
    );
    try {
      if (!exchange.matches(await exchange.make()))
        believed.push(`${exchange.name} took the answer to ${call.name}`);
    } catch (error) {
      expect(error).toBeInstanceOf(RelayUnreachable);
      refused++;
    }
  }
  expect(believed).toEqual([]);
  expect(pairs).toBeGreaterThan(1_000);
  expect(refused).toBeGreaterThan(pairs * 0.9);
  const covered = new Set<string>(calls.map(({ name }) => name));
  const repeating = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, { response, repeatsNothing }]) =>
    response && !repeatsNothing ? [name] : [],
  );
  // Its parts are verified by the digest of the file (test/integration/client/files.slow.test.ts).
  expect(repeating.filter((name) => !covered.has(name))).toEqual(['beginBlob']);
});
