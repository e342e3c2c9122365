/**
 * A call that waits for its turn while its credential is revoked: it returns no data and changes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import { addressToBlob } from '../../../src/relay/store/sql/values.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { beginning, TestRoster } from '../../support/relay-rosters.ts';

const LIMITS = { rates: ROOMY_RATES };

type MakeRequest = (ben: Person, group: TestRoster) => Parameters<TestRelay['request']>;

/** Calls that are answered by the reading thread. */
const LONG_READS: [string, MakeRequest][] = [
  ['a search for groups', ({ token }) => ['searchGroups', { token, query: { q: 'group' } }]],
  ['a search for handles', ({ token }) => ['searchHandles', { token, query: { q: 'handle' } }]],
  ['the view of a large group', ({ token }, { params }) => ['getGroup', { token, params }]],
  [
    'a post to a large group',
    (ben, { params }) => [
      'sendGroupEnvelopes',
      { token: ben.token, params, body: { envelopes: [ben.seal(ben, ben.device, 'hello')] } },
    ],
  ],
];

/** A group that counts as large, beside many apparent groups and handles. */
function makeLarge(relay: TestRelay, { id }: TestRoster): void {
  const database = new Database(join(relay.folder.path, 'relay.db'), { timeout: 5_000 });
  database.exec(`
    UPDATE chat_group SET member_count = 1000 WHERE public_id = '${id}';
    INSERT INTO account (id, address, created_at) VALUES (5000, randomblob(20), 0);
    INSERT INTO handle VALUES (5000, 'a_handle', 1, 0, 0);
    INSERT INTO chat_group (id, public_id, name, search_name, description, creator_id, listed, member_count, created_at, epoch, hash,
                            issued_at, join_mode, roster)
      VALUES (5000, 'other', 'Other', 'other', '', 5000, 1, 1, 0, 1, zeroblob(32), 0, 'open', '{}');`);
  database.close();
}

test('data read after a wait is not returned to a session that ended meanwhile', async () => {
  const store = new URL('../../support/held-reading-thread.ts', import.meta.url);
  await using relay = await new TestRelay({ limits: LIMITS, workers: { store } }).start();
  const people = await Promise.all(LONG_READS.map(() => newPerson(relay)));
  const friend = await newPerson(relay);
  const group = await TestRoster.begin(friend, {}, people);
  makeLarge(relay, group);
  const waiting = LONG_READS.map(([, makeRequest], index) =>
    relay.request(...makeRequest(people[index] as Person, group)),
  );
  const friends = LONG_READS.map(([, makeRequest]) => relay.request(...makeRequest(friend, group)));
  for (const { token } of people) await relay.call('deleteSession', { token });
  writeFileSync(join(relay.folder.path, 'go'), '');
  const statuses = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }, index) => [LONG_READS[index]?.[0], status]);
  expect(await statuses(waiting)).toEqual(LONG_READS.map(([name]) => [name, 401]));
  expect(await statuses(friends)).toEqual(LONG_READS.map(([name]) => [name, 200]));
});

/** Calls that write for an account, at the moment when another call has just deleted it. */
const WRITES: [string, MakeRequest][] = [
  ['a new group', (ben) => ['createGroup', { token: ben.token, body: beginning(ben).body }]],
  ['a handle', ({ token }) => ['putHandle', { token, body: { handle: 'ben_meanwhile' } }]],
  ['a name', ({ token }) => ['putProfile', { token, body: { displayName: 'Ben' } }]],
  [
    'an entry of its own',
    (ben, group) => [
      'postRosterEntry',
      { token: ben.token, params: group.params, body: { entry: group.make(ben, { kind: 'leave' }) } },
    ],
  ],
];

test('a waiting call of a deleted account is unauthorized, and writes nothing', async () => {
  await using relay = await new TestRelay({ limits: LIMITS }).start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const calls = WRITES.map(([name, makeRequest]) => [name, makeRequest(ben, group)] as const);
  // Deletes only the row, so that the credential still passes, as if the account were deleted right after the
  // look-up.
  const database = new Database(join(relay.folder.path, 'relay.db'), { timeout: 5_000 });
  database.prepare('UPDATE account SET deleted_at = 1 WHERE address = ?').run(addressToBlob(ben.address));
  database.close();
  for (const [name, call] of calls) {
    const answer = await relay.request(...call);
    expect([name, answer.status, answer.headers.get('www-authenticate')]).toEqual([name, 401, 'Bearer']);
  }
  const { body } = await relay.call('getRoster', { token: ann.token, params: group.params, query: {} });
  expect(body.entries).toHaveLength(group.entries.length);
});

test('an entry of a deleted member is refused if another member posts it', async () => {
  await using relay = await new TestRelay({ limits: LIMITS }).start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const entry = group.make(ben, { kind: 'leave' });
  await relay.call('deleteAccount', { token: ben.token });
  const posted = { token: ann.token, params: group.params, body: { entry } };
  const { body } = await relay.refuse('roster_refused', 'postRosterEntry', posted);
  expect(body.reason).toBe('list_not_newest');
});
