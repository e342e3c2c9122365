import { afterAll, beforeAll, expect, test } from 'vitest';
import { PREVIOUS_KEY_WINDOW } from '../../../../src/protocol/figures.ts';
import { PROBLEM_MEDIA_TYPE } from '../../../../src/protocol/problems.ts';
import { Problem } from '../../../../src/protocol/schemas/problem.ts';
import { apiKeyOf, newPerson, type Person, TestDevice } from '../../../support/person.ts';
import { ROOMY_RATES, WHOLE_QUEUE } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

/** A copy for a device, in the form of a group post. */
function copy(from: { seal: Person['seal'] }, to: Person, text: string, device = to.device) {
  const { asRequest: _, ...envelope } = from.seal(to, device, text);
  return envelope;
}

/** A post that must be refused with 422, because of the named element. */
async function refusePost(token: string, id: string, envelopes: object[], code: string, path: string) {
  const response = await relay.fetch(`/api/v1/groups/${id}/envelopes`, {
    method: 'POST',
    token,
    body: { envelopes },
  });
  expect(response.status).toBe(422);
  expect(response.headers.get('content-type')).toContain(PROBLEM_MEDIA_TYPE);
  const problem = Problem.parse(await response.json());
  expect(problem).toMatchObject({ code, status: 422 });
  expect(problem.errors?.[0]?.path ?? problem.detail).toContain(path);
}

test('a member’s session and key post under the member’s address; a token under the creator’s', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const posts = [
    { token: ben.token, from: ben, via: 'session' },
    { token: await apiKeyOf(ben), from: ben, via: 'api_key' },
    { token: await group.createToken(), from: ann, via: 'group_token' },
  ];
  for (const { token, from, via } of posts) {
    const envelopes = [copy(from, ann, `${via} to ann`), copy(from, ben, `${via} to ben`)];
    const { body } = await relay.call('sendGroupEnvelopes', {
      token,
      params: group.params,
      body: { envelopes },
    });
    expect(body).toMatchObject({ accepted: 2, missing: [], stale: [] });
    expect(body.results.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    for (const person of [ann, ben]) {
      const arrived = (await person.inbox()).at(-1);
      expect(arrived).toMatchObject({ from: from.address, via, groupId: group.params.id, asRequest: false });
      if (arrived) expect(person.open(arrived)).toContain(via);
    }
  }
  expect(await ann.inbox()).toHaveLength(3);
});

test('a repeated post delivers nothing twice, also after acknowledgement', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const body = { envelopes: [copy(ann, ben, 'once')] };
  const post = () => relay.call('sendGroupEnvelopes', { token: ann.token, params: group.params, body });
  const first = (await post()).body;
  const [arrived] = await ben.inbox();
  const ids = [arrived?.id ?? ''];
  await relay.call('acknowledge', { token: ben.token, body: { device: ben.device.id, ids } });
  const second = (await post()).body;
  expect(second).toMatchObject({ accepted: 1, results: [{ status: 'duplicate' }] });
  expect(second.results[0]).toMatchObject({
    id: first.results[0] && 'id' in first.results[0] && first.results[0].id,
  });
  expect(await ben.inbox()).toEqual([]);
});

test('missing copies and stale keys are reported, and the others arrive', async () => {
  const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben, cat]);
  const old = copy(ann, ben, 'sealed to an older key');
  ben.device.rotate();
  const sealKey = ben.device.statement(ben.address, relay.now());
  const params = { deviceId: ben.device.id };
  await relay.call('putSealKey', { token: ben.token, params, body: { sealKey } });

  const { body } = await relay.call('sendGroupEnvelopes', {
    token: ann.token,
    params: group.params,
    body: { envelopes: [old, copy(ann, cat, 'to cat')] },
  });
  expect(body.accepted).toBe(1);
  expect(body.results[0]).toMatchObject({ status: 'rejected', error: { code: 'unknown_device' } });
  expect(body.stale).toEqual([old.recipientDeviceKey]);
  expect([...body.missing].sort()).toEqual([ann.device.sealKeyText, ben.device.sealKeyText].sort());
  expect(await cat.inbox()).toHaveLength(1);
  expect(await ben.inbox()).toEqual([]);
});

test('a copy for the previous seal key covers its device while it is accepted, and is stale after', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const [first, late] = [copy(ann, ben, 'in time'), copy(ann, ben, 'late')];
  const before = ben.device.rotateInTurn();
  await ben.publishSealKey();
  const post = async (envelope: object) => {
    const body = { envelopes: [envelope] };
    return (await relay.call('sendGroupEnvelopes', { token: ann.token, params: group.params, body })).body;
  };
  const own = ann.device.sealKeyText;
  expect(await post(first)).toMatchObject({ accepted: 1, missing: [own], stale: [] });
  const [arrived] = await ben.inbox();
  expect(arrived && ben.open(arrived, before)).toBe('in time');

  relay.ahead = PREVIOUS_KEY_WINDOW + 1_000;
  await ann.login();
  const answer = await post(late);
  relay.ahead = 0;
  expect(answer).toMatchObject({ accepted: 0, stale: [late.recipientDeviceKey] });
  expect(answer.missing).toEqual(expect.arrayContaining([own, ben.device.sealKeyText]));
});

test('a removed device is stale, an unknown one is refused, and then nothing is stored', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const laptop = new TestDevice();
  await ben.publishDevices([ben.device, laptop]);
  const group = await TestRoster.begin(ann, {}, [ben]);
  const toLaptop = copy(ann, ben, 'to the laptop', laptop);
  await ben.publishDevices([ben.device]);
  const { body } = await relay.call('sendGroupEnvelopes', {
    token: ann.token,
    params: group.params,
    body: { envelopes: [toLaptop] },
  });
  expect(body).toMatchObject({ accepted: 0, stale: [laptop.sealKeyText] });

  const invented = copy(ann, ben, 'to nobody', new TestDevice());
  const good = copy(ann, ben, 'good');
  await refusePost(
    ann.token,
    group.params.id,
    [good, invented],
    'unknown_device',
    'envelopes.1.recipientDeviceKey',
  );
  // The key of one member, under the address of another.
  const crossed = { ...copy(ann, ann, 'crossed'), toAddress: ben.address };
  await refusePost(
    ann.token,
    group.params.id,
    [good, crossed],
    'unknown_device',
    'envelopes.1.recipientDeviceKey',
  );
  expect(await ben.inbox()).toEqual([]);
});

test('a recipient who is not or no longer a member refuses the whole post', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const { id } = group.params;
  const envelopes = [copy(ann, ben, 'good'), copy(ann, eve, 'to a stranger')];
  await refusePost(ann.token, id, envelopes, 'not_a_member', 'envelopes.1.toAddress');
  await group.remove(ann, ben);
  await refusePost(ann.token, id, [copy(ann, ben, 'too late')], 'not_a_member', 'envelopes.0.toAddress');
  expect(await ben.inbox()).toEqual([]);
});

test('a stranger cannot post', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const { params } = group;
  const body = { envelopes: [copy(eve, ann, 'let me in')] };
  for (const token of [eve.token, await apiKeyOf(eve)]) {
    await relay.refuse('not_a_member', 'sendGroupEnvelopes', { token, params, body });
  }
  const former = await apiKeyOf(ben);
  await group.leave(ben);
  const late = { envelopes: [copy(ben, ann, 'still here?')] };
  await relay.refuse('not_a_member', 'sendGroupEnvelopes', { token: former, params, body: late });
  expect(await ann.inbox()).toEqual([]);
});

test('plaintext, a missing device key and an unknown field are refused with their path', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const { id } = group.params;
  const good = copy(ann, ben, 'good');
  const { recipientDeviceKey: _, ...keyless } = good;
  await refusePost(ann.token, id, [good, { ...good, text: 'hello' }], 'plaintext_rejected', 'envelopes.1');
  const readable = { ...good, ciphertext: Buffer.from('hello everybody').toString('base64url') };
  await refusePost(ann.token, id, [readable], 'plaintext_rejected', 'envelopes.0');
  const post = (body: object) => ({ token: ann.token, params: { id }, body });
  await refusePost(ann.token, id, [{ ...good, asRequest: true }], 'plaintext_rejected', 'envelopes.0');
  for (const wrong of [keyless, { ...good, asRequest: 1 }, 5, null, { ...good, toAddress: 'ben' }]) {
    await relay.refuse('invalid_request', 'sendGroupEnvelopes', post({ envelopes: [good, wrong] }));
  }
  for (const frame of [{}, { envelopes: [] }, { envelopes: good }, { envelopes: [good], groupId: id }]) {
    await relay.refuse('invalid_request', 'sendGroupEnvelopes', post(frame));
  }
  await relay.refuse('plaintext_rejected', 'sendGroupEnvelopes', post({ message: 'hello' }));
  expect(await ben.inbox()).toEqual([]);
});

test('a full queue rejects its own copy only', async () => {
  await using small = await new TestRelay({ limits: { queueEnvelopes: 2, shares: WHOLE_QUEUE } }).start();
  const [ann, ben, cat] = [await newPerson(small), await newPerson(small), await newPerson(small)];
  const group = await TestRoster.begin(ann, {}, [ben, cat]);
  const envelopes = [1, 2, 3].map((count) => copy(ann, ben, `ben ${count}`));
  const { body } = await small.call('sendGroupEnvelopes', {
    token: ann.token,
    params: group.params,
    body: { envelopes: [...envelopes, copy(ann, cat, 'cat')] },
  });
  expect(body.results.map((result) => ('error' in result ? result.error.code : result.status))).toEqual([
    'accepted',
    'accepted',
    'inbox_full',
    'accepted',
  ]);
  expect(await ben.inbox()).toHaveLength(2);
  expect(await cat.inbox()).toHaveLength(1);
});

test('too much mail to one member rejects its own copies only', async () => {
  const rates = { ...ROOMY_RATES, recipient: { burst: 2, perSecond: 0.01 } };
  await using slow = await new TestRelay({ limits: { rates } }).start();
  const [ann, ben, cat] = [await newPerson(slow), await newPerson(slow), await newPerson(slow)];
  const group = await TestRoster.begin(ann, {}, [ben, cat]);
  const post = (envelopes: object[]) =>
    slow.call('sendGroupEnvelopes', { token: ann.token, params: group.params, body: { envelopes } });
  await post([copy(ann, ben, '1'), copy(ann, ben, '2')]);
  const { body } = await post([copy(ann, ben, '3'), copy(ann, cat, 'to cat')]);
  expect(body.results.map((result) => ('error' in result ? result.error.code : result.status))).toEqual([
    'rate_limited',
    'accepted',
  ]);
  expect(body).toMatchObject({ accepted: 1, missing: [ann.device.sealKeyText], stale: [] });
});

test('a post above the limit is too large, with any content', async () => {
  await using small = await new TestRelay({ limits: { groupEnvelopes: 2 } }).start();
  const ann = await newPerson(small);
  const group = await TestRoster.begin(ann);
  const envelopes = [1, 2, 3].map((count) => copy(ann, ann, `${count}`));
  await small.refuse('too_large', 'sendGroupEnvelopes', {
    token: ann.token,
    params: group.params,
    body: { envelopes },
  });
});

test('an open poll is answered when a post arrives', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const openPoll = ben.inbox(ben.device, 20);
  await relay.untilPolling(1);
  const body = { envelopes: [copy(ann, ben, 'wake up')] };
  await relay.call('sendGroupEnvelopes', { token: ann.token, params: group.params, body });
  expect((await openPoll).map((envelope) => ben.open(envelope))).toEqual(['wake up']);
});

test('refused posts do not reduce the number of stored ids of others', async () => {
  const rates = { ...ROOMY_RATES, remembered: { burst: 1, perSecond: 1e-9 } };
  await using other = await new TestRelay({ limits: { rates } }).start();
  const [ann, ben, eve] = [await newPerson(other), await newPerson(other), await newPerson(other)];
  const group = await TestRoster.begin(eve, {}, []);
  const posts = [[copy(eve, ann, 'to a stranger'), { toAddress: ann.address }], [copy(eve, ann, 'again')]];
  const statuses: number[] = [];
  for (const envelopes of posts) {
    const post = { token: eve.token, params: group.params, body: { envelopes } };
    statuses.push((await other.request('sendGroupEnvelopes', post)).status);
  }
  expect(statuses).toEqual([400, 422]);
  const body = ben.seal(ann, ann.device, 'from a friend');
  const statusOf = async () => (await other.call('sendEnvelopes', { token: ben.token, body })).status;
  expect(await statusOf()).toBe(201);
  const ids = (await ann.inbox()).map(({ id }) => id);
  await other.call('acknowledge', { token: ann.token, body: { device: ann.device.id, ids } });
  expect(await statusOf()).toBe(200);
});
