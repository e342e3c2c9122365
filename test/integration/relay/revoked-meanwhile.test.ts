/**
 * A call that waits for its turn while its credential is revoked: it tells nothing and does nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import { newGroup, newPerson, Person, type TestGroup } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const LIMITS = { rates: ROOMY_RATES };

type Ask = (ben: Person, group: TestGroup) => Parameters<TestRelay['request']>;

/** Calls whose answer is made on the reading thread. */
const LONG_READS: [string, Ask][] = [
  ['a search for groups', ({ token }) => ['searchGroups', { token, query: { q: 'group' } }]],
  ['a search for handles', ({ token }) => ['searchHandles', { token, query: { q: 'handle' } }]],
  ['the view of a large group', ({ token }, { params }) => ['getGroup', { token, params }]],
  ['joining a large group', ({ token }, { params }) => ['joinGroup', { token, params, body: {} }]],
  [
    'a post to a large group',
    (ben, { params }) => [
      'sendGroupEnvelopes',
      { token: ben.token, params, body: { envelopes: [ben.seal(ben, ben.device, 'hello')] } },
    ],
  ],
];

/** A group that counts as large, beside groups and handles of which there seem to be many. */
function makeLarge(relay: TestRelay, { id }: TestGroup): void {
  const database = new Database(join(relay.folder.path, 'relay.db'), { timeout: 5_000 });
  database.exec(`
    UPDATE chat_group SET member_count = 1000 WHERE public_id = '${id}';
    INSERT INTO account (id, address, created_at) VALUES (5000, randomblob(20), 0);
    INSERT INTO handle VALUES (5000, 'a_handle', 1, 0, 0);
    INSERT INTO chat_group (id, public_id, name, description, creator_id, member_count, created_at)
      VALUES (5000, 'other', 'Other', '', 5000, 1, 0);`);
  database.close();
}

test('what was read after a wait is told to nobody whose session ended meanwhile', async () => {
  const store = new URL('../../support/held-reading-thread.ts', import.meta.url);
  await using relay = await new TestRelay({ limits: LIMITS, workers: { store } }).start();
  const people = await Promise.all(LONG_READS.map(() => newPerson(relay)));
  const friend = await newPerson(relay);
  const group = await newGroup(friend, {}, people);
  makeLarge(relay, group);
  const waiting = LONG_READS.map(([, ask], index) => relay.request(...ask(people[index] as Person, group)));
  const friends = LONG_READS.map(([, ask]) => relay.request(...ask(friend, group)));
  for (const { token } of people) await relay.call('deleteSession', { token });
  writeFileSync(join(relay.folder.path, 'go'), '');
  const statuses = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }, index) => [LONG_READS[index]?.[0], status]);
  expect(await statuses(waiting)).toEqual(LONG_READS.map(([name]) => [name, 401]));
  expect(await statuses(friends)).toEqual(LONG_READS.map(([name]) => [name, 200]));
});

/** Hashes that take long beside a call. */
const SLOW = { N: 2 ** 13, r: 8, p: 3 };

/** Accounts that keep the hashing of passwords busy for a while: who comes after them waits. */
async function keepHashing(relay: TestRelay, { params }: TestGroup): Promise<{ over: Promise<unknown> }> {
  const crowd = await Promise.all(Array.from({ length: 20 }, () => new Person(relay).login()));
  const body = { password: 'wrong' };
  const guesses = crowd.map(({ token }) => relay.request('joinGroup', { token, params, body }));
  // Eighteen of them wait when the first is answered.
  await Promise.race(guesses);
  return { over: Promise.all(guesses) };
}

test('who waits for a turn with a password and is revoked meanwhile changes nothing', {
  timeout: 120_000,
}, async () => {
  await using relay = await new TestRelay({ limits: LIMITS, passwordCost: SLOW }).start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, { password: 'right' });
  const own = await newGroup(ben, { name: 'Own' });
  const { over } = await keepHashing(relay, group);
  const { token } = ben;
  const answers = Promise.all([
    relay.request('joinGroup', { token, params: group.params, body: { password: 'right' } }),
    relay.request('changeGroup', { token, params: own.params, body: { name: 'New', password: 'new' } }),
  ]);
  await relay.call('deleteSession', { token });
  expect((await answers).map(({ status }) => status)).toEqual([401, 401]);
  await over;
  await ben.login();
  const { body } = await relay.call('searchGroups', { token: ben.token, query: { mine: true } });
  expect(body.groups.map(({ name }) => name)).toEqual(['Own']);
});
