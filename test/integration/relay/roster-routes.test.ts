/**
 * Calls about chains, and callers without the right to them.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import type { RosterEntry } from '../../../src/protocol/roster/forms.ts';
import { admissionBytes, signLinkProof } from '../../../src/protocol/roster/proofs.ts';
import type { Problem } from '../../../src/protocol/schemas/problem.ts';
import { apiKeyOf, newPerson, TestDevice } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { expectProblem, TestRelay } from '../../support/relay.ts';
import { beginning, quickPassword, signerOf, TestRoster } from '../../support/relay-rosters.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
const MINUTE = 60_000;

beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());
const NOTHING = { kind: 'change' } as const;

async function reasonOf(response: Response): Promise<string | undefined> {
  return (await expectProblem(response, 'roster_refused')).body.reason;
}

test('an entry that does not fold is refused with the fold’s name for it', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { join: 'open' }, [ben]);
  await roster.admit(eve);
  const now = relay.now();
  const posted = (who: typeof ann, ...args: Parameters<TestRoster['make']>) =>
    roster.post(who.token, roster.make(...args));

  expect(await reasonOf(await posted(ben, ben, NOTHING))).toBe('not_allowed');
  expect(await reasonOf(await posted(ben, ben, { kind: 'join' }))).toBe('already_member');
  expect(await reasonOf(await posted(eve, eve, { kind: 'leave' }))).toBe('not_a_member');
  const ahead = roster.make(ann, NOTHING, signerOf(ann), now + 7 * MINUTE);
  expect(await reasonOf(await roster.post(ann.token, ahead))).toBe('issued_in_future');
  const other = signerOf(ann, new TestDevice());
  expect(await reasonOf(await posted(ann, ann, NOTHING, other))).toBe('unknown_device');
  const entry = roster.make(ann, NOTHING);
  const forged = { ...entry, signature: encodeBase64Url(new Uint8Array(64)) };
  expect(await reasonOf(await roster.post(ann.token, forged))).toBe('wrong_signature');
  const torn = { ...entry, body: encodeBase64Url(encodeUtf8('{}')) };
  expect(await reasonOf(await roster.post(ann.token, torn))).toBe('malformed');
  await expectProblem(await roster.post(ann.token, { ...entry, body: '' }), 'invalid_request');
  expect((await roster.post(ann.token, entry)).status).toBe(200);
});

test('an entry by an outdated device list is refused, so that a removed device changes nothing', async () => {
  const ann = await newPerson(relay);
  const roster = await TestRoster.begin(ann);
  const stolen = ann.device;
  const before = signerOf(ann);
  const device = new TestDevice();
  await ann.publishDevices([device]);
  await ann.login();
  const late = roster.make(ann, NOTHING, before);
  expect(await reasonOf(await roster.post(ann.token, late))).toBe('list_not_newest');
  const pretended = roster.make(ann, NOTHING, signerOf(ann, stolen));
  expect(await reasonOf(await roster.post(ann.token, pretended))).toBe('unknown_device');
  const stands = roster.make(ann, NOTHING, signerOf(ann, device));
  expect((await roster.post(ann.token, stands)).status).toBe(200);
});

test('one of many simultaneous changes for one place is accepted, and the others are conflicts', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, {}, [ben]);
  const entries = Array.from({ length: 8 }, (_, index) =>
    roster.make(ann, { kind: 'change', name: `Name ${index}` }),
  );
  const answers = await Promise.all(entries.map((entry) => roster.post(ann.token, entry)));
  const accepted = entries.filter((_, index) => answers[index]?.status === 200);
  expect(accepted).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    await expectProblem(answer, 'roster_conflict');
  }
  for (const entry of accepted) roster.append(entry, ann);
  const { body } = await relay.call('getGroup', { token: ann.token, params: roster.params });
  expect(body).toMatchObject({ name: roster.state.name, roster: { epoch: 4, hash: roster.state.hash } });
});

test('the same entry from two connections at once is stored once, and both get success', async () => {
  const ann = await newPerson(relay);
  const roster = await TestRoster.begin(ann);
  const entry = roster.make(ann, NOTHING);
  const answers = await Promise.all([roster.post(ann.token, entry), roster.post(ann.token, entry)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  roster.append(entry, ann);
  const { body } = await relay.call('getRoster', { token: ann.token, params: roster.params });
  expect(body.entries).toEqual(roster.entries);
});

test('a stranger cannot distinguish an unlisted group from an unknown id', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const hidden = await TestRoster.begin(ann, { join: 'invite', listed: false }, []);
  await hidden.join(ben, hidden.ticket(ann, ben));
  await hidden.leave(ben);
  const forged = hidden.ticket(eve, eve);
  const { params } = hidden;
  const entry = hidden.make(eve, { kind: 'join' });
  const answers = async ({ token }: typeof eve, id: string) => {
    const call = { token, params: { id } };
    const tokenId = encodeBase64Url(randomBytes(16));
    const tried = await Promise.all([
      relay.request('getGroup', call),
      relay.request('getRoster', call),
      relay.request('putListing', { ...call, body: { listed: true } }),
      relay.request('createToken', { ...call, body: { name: 'bot' } }),
      relay.request('revokeToken', { token, params: { id, tokenId } }),
      relay.request('postRosterEntry', { ...call, body: { entry } }),
      relay.request('sendGroupEnvelopes', { ...call, body: { envelopes: [{}] } }),
      relay.request('admitToGroup', { ...call, body: {} }),
      relay.request('admitToGroup', { ...call, body: { ticket: forged } }),
      relay.request('createReport', { token, body: { about: { group: id }, reason: 'spam' } }),
    ]);
    return Promise.all(
      tried.map(async (response) => [response.status, ((await response.json()) as Problem).reason]),
    );
  };
  const nothing = await answers(eve, encodeBase64Url(randomBytes(16)));
  expect(new Set(nothing.map(([status]) => status))).toEqual(new Set([404]));
  expect(await answers(eve, params.id)).toEqual(nothing);
  // Former members and people with an invitation get a more detailed answer.
  await relay.refuse('not_a_member', 'getGroup', { token: ben.token, params });
  await hidden.admit(eve, { ticket: hidden.ticket(ann, eve) });
  await relay.refuse('not_a_member', 'getGroup', { token: eve.token, params });
  expect((await relay.call('getRoster', { token: eve.token, params })).status).toBe(200);
});

test('joins of an open group from one network are limited, and then need an invitation', async () => {
  const rates = { ...ROOMY_RATES, openJoin: { burst: 2, perSecond: 1e-6 } };
  await using own = await new TestRelay({ limits: { rates }, trustedProxies: ['127.0.0.1'] }).start();
  const ann = await newPerson(own);
  const roster = await TestRoster.begin(ann, { join: 'open' });
  const join = async (from: string, ticketed = false): Promise<Response> => {
    const person = await newPerson(own);
    const ticket = ticketed ? roster.ticket(ann, person) : undefined;
    await roster.admit(person, ticket && { ticket });
    const entry = roster.make(person, { kind: 'join', ...(ticket && { ticket }) });
    const response = await own.request('postRosterEntry', {
      token: person.token,
      params: roster.params,
      body: { entry },
      headers: { 'x-forwarded-for': from },
    });
    if (response.ok) roster.append(entry, person);
    return response;
  };
  expect((await join('203.0.113.1')).status).toBe(200);
  expect((await join('203.0.113.2')).status).toBe(200);
  const refused = await join('203.0.113.3');
  expect((await expectProblem(refused, 'rate_limited')).body.reason).toBe('joins');
  expect((await join('203.0.113.3', true)).status).toBe(200);
  expect((await join('198.51.100.1')).status).toBe(200);
});

test('each proof that allows joining also allows reading, and only a proof opens the chain', async () => {
  const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { password: 'secret' });
  const link = importEd25519(randomBytes(32));
  const expires = encodeTime(relay.now() + MINUTE);
  await roster.change(ann, { links: [{ key: encodeBase64Url(link.publicKey), expires }] });
  const { params } = roster;
  const refused = async (body: object, token = ben.token) =>
    (await relay.refuse('roster_refused', 'admitToGroup', { token, params, body })).body.reason;

  expect(await refused({})).toBe('proof_needed');
  expect(await refused({ ticket: roster.ticket(ann, cat) })).toBe('ticket_for_another');
  expect(await refused({ ticket: roster.ticket(cat, ben) })).toBe('ticket_signer');
  const proof = signLinkProof(link, admissionBytes(roster.id, ben.address));
  expect(await refused({ link: proof }, cat.token)).toBe('wrong_link_signature');
  const unknown = importEd25519(randomBytes(32));
  expect(await refused({ link: signLinkProof(unknown, admissionBytes(roster.id, ben.address)) })).toBe(
    'unknown_link',
  );
  await relay.refuse('not_a_member', 'getRoster', { token: ben.token, params });
  const { body: place } = await relay.call('admitToGroup', {
    token: ben.token,
    params,
    body: { link: proof },
  });
  expect(place).toEqual({ epoch: roster.state.epoch, hash: roster.state.hash });
  await relay.call('getRoster', { token: ben.token, params });
  await relay.refuse('not_a_member', 'getGroup', { token: ben.token, params });
});

test('a wrong password and an unknown group get the same answer, and guesses are limited', async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const { params } = await TestRoster.begin(ann, { password: 'secret' });
  const guess = { password: quickPassword('guess').passwordProof };
  const wrong = await relay.refuse('wrong_password', 'admitToGroup', {
    token: ben.token,
    params,
    body: guess,
  });
  const missing = await relay.refuse('wrong_password', 'admitToGroup', {
    token: ben.token,
    params: { id: 'A'.repeat(22) },
    body: guess,
  });
  const { requestId: _, ...same } = missing.body;
  expect(wrong.body).toMatchObject(same);
  const none = { token: ben.token, params: { id: 'A'.repeat(22) } };
  await relay.refuse('not_found', 'admitToGroup', { ...none, body: {} });

  const body = { password: quickPassword('secret').passwordProof };
  const early = await relay.refuse('rate_limited', 'admitToGroup', { token: ben.token, params, body });
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  await relay.call('admitToGroup', { token: eve.token, params, body });
});

test('a changed password needs a new key for it, and nothing else', async () => {
  const ann = await newPerson(relay);
  const { body } = beginning(ann, { password: 'secret' });
  const { password, ...untold } = body;
  const missing = await relay.refuse('invalid_request', 'createGroup', { token: ann.token, body: untold });
  expect(missing.body.reason).toBe('password_missing');
  const open = beginning(ann).body;
  const stray = await relay.refuse('invalid_request', 'createGroup', {
    token: ann.token,
    body: { ...open, password },
  });
  expect(stray.body.reason).toBe('password_stray');

  const roster = await TestRoster.begin(ann, { password: 'secret' });
  const { passwordProof, key } = quickPassword('other');
  await roster.change(ann, { joinKey: encodeBase64Url(key.publicKey) }, passwordProof);
  const ben = await newPerson(relay);
  const { token } = ben;
  const old = { token, params: roster.params, body: { password: quickPassword('secret').passwordProof } };
  await relay.refuse('wrong_password', 'admitToGroup', old);
  await roster.join(await newPerson(relay), 'other');
});

test('a member posts an entry of another, and cannot set its password', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { join: 'open' }, [ben]);
  const hidden = roster.make(ann, { kind: 'change', name: 'Hidden' });
  expect((await roster.post(ben.token, hidden)).status).toBe(200);
  roster.append(hidden, ann);
  const { passwordProof, key } = quickPassword('secret');
  const joinKey = encodeBase64Url(key.publicKey);
  const sealed = roster.make(ann, { kind: 'change', join: 'password', joinKey });
  expect((await roster.post(ben.token, sealed, quickPassword('a lie').passwordProof)).status).toBe(200);
  roster.append(sealed, ann);
  for (const password of [quickPassword('a lie').passwordProof, passwordProof]) {
    const { token } = await newPerson(relay);
    await relay.refuse('wrong_password', 'admitToGroup', {
      token,
      params: roster.params,
      body: { password },
    });
  }
});

test('the last member’s leave deletes the group, and its creation does not restore it', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { name: 'Ends here' }, [ben]);
  const token = await roster.createToken();
  await roster.leave(ann);
  const { params } = roster;
  await relay.refuse('unauthorized', 'getGroup', { token, params });
  const { body } = await relay.call('getGroup', { token: ben.token, params });
  expect(body).toMatchObject({ creator: null, members: [ben.address] });
  await roster.leave(ben);
  await relay.refuse('not_found', 'getGroup', { token: ben.token, params });
  const found = await relay.call('searchGroups', { token: ben.token, query: { q: 'Ends here' } });
  expect(found.body.groups).toEqual([]);

  relay.ahead = 11 * MINUTE;
  const begun = { entries: roster.entries.slice(0, 1) };
  const again = await relay.refuse('roster_refused', 'createGroup', { token: ann.token, body: begun });
  relay.ahead = 0;
  expect(again.body.reason).toBe('issued_long_ago');
});

test('a transfer ends the tokens of the old creator, and the new one can create tokens', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, {}, [ben]);
  const token = await roster.createToken();
  const { params } = roster;
  await roster.change(ann, { creator: ben.address });
  await relay.refuse('unauthorized', 'getGroup', { token, params });
  await relay.refuse('forbidden', 'createToken', { token: ann.token, params, body: { name: 'x' } });
  const { body } = await relay.call('getMe', { token: await roster.createToken('bot', ben) });
  expect(body.address).toBe(ben.address);
});

test('an unlisted group is found by its members only', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { name: 'Quiet corner', listed: false }, [ben]);
  const { params, id } = roster;
  const find = async (query: object) => {
    const { body } = await relay.call('searchGroups', { token: ben.token, query });
    return body.groups.filter((group) => group.id === id).map(({ name }) => name);
  };
  const listing = async (listed: boolean) =>
    relay.call('putListing', { token: ann.token, params, body: { listed } });
  for (const q of ['Quiet corner', 'Qu', '']) expect(await find({ q, limit: 50 })).toEqual([]);
  expect(await find({ mine: true })).toEqual(['Quiet corner']);
  await relay.refuse('forbidden', 'putListing', { token: ben.token, params, body: { listed: true } });
  await listing(true);
  for (const q of ['iet corn', 'Qu']) expect(await find({ q })).toEqual(['Quiet corner']);
  await roster.change(ann, { name: 'Loud corner' });
  expect(await find({ q: 'oud corn' })).toEqual(['Loud corner']);
  await listing(false);
  await roster.change(ann, { name: 'Silent corner' });
  for (const q of ['oud corn', 'lent corn']) expect(await find({ q })).toEqual([]);
  await listing(true);
  expect(await find({ q: 'lent corn' })).toEqual(['Silent corner']);
});

test('a chain is read page by page, by members, their keys, and tokens of the group', async () => {
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann);
  for (let times = 0; times < 5; times++) await roster.change(ann, {});
  const { params } = roster;
  for (const token of [ann.token, await apiKeyOf(ann), await roster.createToken()]) {
    const read: RosterEntry[] = [];
    for (let more = true; more; ) {
      const query = { after: read.length, limit: 3 };
      const { body } = await relay.call('getRoster', { token, params, query });
      read.push(...body.entries);
      more = body.more;
    }
    expect(read).toEqual(roster.entries);
  }
  const end = { token: ann.token, params, query: { after: 50 } };
  expect((await relay.call('getRoster', end)).body).toEqual({ entries: [], more: false });
  const strange = await TestRoster.begin(eve);
  await relay.refuse('forbidden', 'getRoster', { token: await strange.createToken(), params });
});
