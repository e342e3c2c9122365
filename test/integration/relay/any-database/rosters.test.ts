/**
 * Chains of groups at the relay: it accepts entries that fold, once, and shows the accepted ones.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { createGroup } from '../../../../src/protocol/roster/making.ts';
import { membersOf } from '../../../../src/protocol/roster/state.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { expectProblem, TestRelay } from '../../../support/relay.ts';
import { beginning, quickPassword, signerOf, TestRoster } from '../../../support/relay-rosters.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

const MINUTE = 60_000;

test('a group begins with a signed creation and a change, and is returned as they fold', async () => {
  const ann = await newPerson(relay);
  const { groupId, body } = beginning(ann, { name: 'Walkers', description: 'Sundays', password: 'secret' });
  const made = await relay.call('createGroup', { token: ann.token, body });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    id: groupId,
    name: 'Walkers',
    description: 'Sundays',
    verified: false,
    hasPassword: true,
    join: 'password',
    creator: ann.address,
    members: [ann.address],
    memberCount: 1,
    memberDeviceKeys: { [ann.address]: [ann.device.sealKeyText] },
    roster: { epoch: 2 },
    botTokens: [],
  });
  const again = await relay.call('createGroup', { token: ann.token, body });
  expect(again).toMatchObject({ status: 200, body: made.body });
  const { body: page } = await relay.call('getRoster', { token: ann.token, params: { id: groupId } });
  expect(page).toEqual({ entries: body.entries, more: false });
});

test('members join by password, link, ticket and openly, and the view matches the folded chain', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => newPerson(relay)));
  const [ann, ben, cat, dan, eve] = people as [Person, Person, Person, Person, Person];
  const roster = await TestRoster.begin(ann, { password: 'correct horse' });
  await roster.join(ben, 'correct horse');
  const link = importEd25519(randomBytes(32));
  const expires = encodeTime(relay.now() + MINUTE);
  await roster.change(ann, { links: [{ key: encodeBase64Url(link.publicKey), expires }] });
  await roster.joinByLink(cat, link);
  await roster.join(dan, roster.ticket(ann, dan));
  await roster.change(ann, { join: 'open' });
  await roster.join(eve);
  await roster.remove(ann, ben);
  await roster.leave(cat);
  const { body } = await relay.call('getGroup', { token: ann.token, params: roster.params });
  expect(body.members).toEqual(membersOf(roster.state));
  expect(body.members).toEqual([ann, dan, eve].map(({ address }) => address).sort());
  expect(body.roster).toEqual({ epoch: roster.state.epoch, hash: roster.state.hash });
});

test('a repeated entry gets the same answer; another one for its place is a conflict', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, {}, [ben]);
  const [first, second] = [{ name: 'One' }, { name: 'Two' }].map((change) =>
    roster.make(ann, { kind: 'change', ...change }),
  );
  if (!first || !second) throw new Error('there are two');
  const { params } = roster;
  const place = await relay.call('postRosterEntry', { token: ann.token, params, body: { entry: first } });
  expect(place.body.epoch).toBe(roster.state.epoch + 1);
  const again = await relay.call('postRosterEntry', { token: ann.token, params, body: { entry: first } });
  expect(again.body).toEqual(place.body);
  await relay.refuse('roster_conflict', 'postRosterEntry', {
    token: ann.token,
    params,
    body: { entry: second },
  });
  roster.append(first, ann);
  // A leave whose answer was lost.
  const leave = await roster.leave(ben);
  expect((await roster.post(ben.token, leave)).status).toBe(200);
});

test('a stranger reads and posts nothing; an admission allows it for ten minutes', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { password: 'secret' });
  const { params } = roster;
  const { token } = ben;
  await relay.refuse('not_a_member', 'getRoster', { token, params });
  const entry = roster.make(ben, { kind: 'join' });
  await expectProblem(await roster.post(token, entry), 'not_a_member');
  await relay.refuse('wrong_password', 'admitToGroup', {
    token,
    params,
    body: { password: quickPassword('guess').passwordProof },
  });
  await relay.refuse('roster_refused', 'admitToGroup', {
    token: (await newPerson(relay)).token,
    params,
    body: {},
  });
  const dan = await newPerson(relay);
  await roster.admit(dan, { password: quickPassword('secret').passwordProof });
  const { body } = await relay.call('getRoster', { token: dan.token, params });
  expect(body.entries).toEqual(roster.entries);
});

test('no group begins in the name of another, or with an old creation', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { body } = beginning(ann);
  await relay.refuse('forbidden', 'createGroup', { token: ben.token, body });
  const old = createGroup(signerOf(ann), 'Old', relay.now() - 11 * MINUTE);
  const refused = await relay.refuse('roster_refused', 'createGroup', {
    token: ann.token,
    body: { entries: [old.entry] },
  });
  expect(refused.body.reason).toBe('issued_long_ago');
});
