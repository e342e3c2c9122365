import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGroupEnvelope } from '../../../src/relay/delivery/read-envelope.ts';
import { DEFAULT_RELAY_LIMITS, queueLimits } from '../../../src/relay/settings/limits.ts';
import { prepareOperations } from '../../../src/relay/store/sql/operations.ts';
import { prepareReads } from '../../../src/relay/store/sql/reads.ts';
import { openForReading } from '../../../src/relay/store/sqlite/database.ts';
import { sqliteSearches } from '../../../src/relay/store/sqlite/searches.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { visitedRows } from '../../support/visited-rows.ts';

const GROUPS = 20_000;
const MEMBERS = 2_000;

/** Each of its trigrams is in the name of each group, but the whole text is in none. */
const NASTY = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ';
const nameOf = (index: number) => `${NASTY.slice(0, 24)} ${NASTY.slice(22)} ${index}`;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ann: Person;

/** Writes as much into the relay's database as many people would over years. */
function write(work: (database: Database.Database) => void): void {
  const database = new Database(join(relay.folder.path, 'relay.db'), { timeout: 5_000 });
  database.transaction(() => work(database))();
  database.close();
}

function keyOf(database: Database.Database, { address }: Person): number {
  const blob = Buffer.from(address.slice(2), 'hex');
  return Number(database.prepare('SELECT id FROM account WHERE address = ?').pluck().get(blob));
}

beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
  write((database) => {
    const group = database.prepare(
      `INSERT INTO chat_group (public_id, name, search_name, description, creator_id, listed, member_count, created_at, epoch, hash,
                               issued_at, join_mode, roster)
       VALUES (?, ?, ?, '', ?, 1, 1, 0, 1, zeroblob(32), 0, 'open', '{}')`,
    );
    const account = keyOf(database, ann);
    for (let index = 0; index < GROUPS; index++) {
      group.run(`group-${index}`, nameOf(index), nameOf(index), account);
    }
  });
});
afterAll(() => relay[Symbol.asyncDispose]());

/**
 * Counts the short calls, one after the other, that are answered for each of some simultaneous long calls. If
 * long calls block the answering thread, hardly one short call is answered between two of them.
 */
async function shortCallsMeanwhile(long: () => Promise<unknown>): Promise<number> {
  const calls = 12;
  let isDone = false;
  const all = Promise.all(Array.from({ length: calls }, long)).then(() => {
    isDone = true;
  });
  let count = 0;
  while (!isDone) {
    await (await fetch(`${relay.url}/healthz`)).text();
    count++;
  }
  await all;
  return count / calls;
}

test('searches for a text in almost all of 20,000 groups do not delay other calls', async () => {
  const query = { q: NASTY };
  const { body } = await relay.call('searchGroups', { token: ann.token, query });
  expect(body).toEqual({ groups: [], nextCursor: null });
  const headers = { authorization: `Bearer ${ann.token}` };
  const search = async () => (await fetch(`${relay.url}/api/v1/groups?q=${NASTY}`, { headers })).text();
  expect(await shortCallsMeanwhile(search)).toBeGreaterThan(3);
});

test('a page of a search reads as many rows with 20,000 matches as with a few', async () => {
  const { database, during } = visitedRows(openForReading(join(relay.folder.path, 'relay.db')));
  const reads = prepareReads(database, sqliteSearches(database));
  const rowsFor = (text: string) =>
    during(() => reads.searchGroups({ by: 1, text, memberAccount: null, limit: 20, after: null }));
  const few = await rowsFor(' 1999');
  expect(few).toBeGreaterThan(0);
  expect(await rowsFor('abcdefghij')).toBeLessThan(10 * few);
});

test('pages of a long search name each group once', async () => {
  const { body: first } = await relay.call('searchGroups', {
    token: ann.token,
    query: { q: ' 1999', limit: 7 },
  });
  const seen = first.groups.map(({ name }) => name);
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const query = { q: ' 1999', limit: 7, cursor };
    const { body } = await relay.call('searchGroups', { token: ann.token, query });
    seen.push(...body.groups.map(({ name }) => name));
    cursor = body.nextCursor;
  }
  const wanted = [1999, ...Array.from({ length: 10 }, (_, index) => 19_990 + index)].map(nameOf);
  expect(seen).toEqual(wanted);
});

test('verified handles are found among thousands of others without reading all of them', async () => {
  write((database) => {
    const account = database.prepare('INSERT INTO account (address, created_at) VALUES (randomblob(20), 0)');
    const handle = database.prepare('INSERT INTO handle VALUES (?, ?, 1, ?, 0)');
    for (let index = 0; index < 5_000; index++) {
      const { lastInsertRowid } = account.run();
      handle.run(lastInsertRowid, `person_${index}`, index % 1_000 === 7 ? 1 : 0);
    }
  });
  const find = async (q: string, verified?: boolean) => {
    const query = { q, limit: 50, ...(verified !== undefined && { verified }) };
    return (await relay.call('searchHandles', { token: ann.token, query })).body.handles.map(
      ({ handle }) => handle,
    );
  };
  const verified = ['person_1007', 'person_2007', 'person_3007', 'person_4007', 'person_7'];
  expect(await find('', true)).toEqual(verified);
  expect(await find('pe', true)).toEqual(verified);
  expect((await find('erson_', true)).sort()).toEqual(verified);
  expect(await find('rson_4007')).toEqual(['person_4007']);
  expect(await find('rson_4007', false)).toEqual([]);
  const plan = new Database(join(relay.folder.path, 'relay.db'), { readonly: true })
    .prepare(
      `EXPLAIN QUERY PLAN SELECT handle FROM handle
        WHERE is_public = 1 AND handle >= 'a' AND handle < 'b' AND verified = 1 ORDER BY handle LIMIT 5`,
    )
    .all() as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).toContain('verified_handle');
});

test('with thousands of equal names each call reads a bounded number, and all are found in the end', async () => {
  write((database) => {
    const account = database.prepare(
      "INSERT INTO account (address, display_name, created_at) VALUES (randomblob(20), 'Same Name', 0)",
    );
    const handle = database.prepare('INSERT INTO handle VALUES (?, ?, 1, ?, 0)');
    const part = database.prepare('INSERT INTO name_part VALUES (?, ?)');
    for (let index = 0; index < 1_100; index++) {
      const { lastInsertRowid } = account.run();
      handle.run(lastInsertRowid, `alike_${index}`, index === 1_090 ? 1 : 0);
      for (const text of ['same name', 'name']) part.run(text, lastInsertRowid);
    }
  });
  const pages: string[][] = [];
  let cursor: string | null = '';
  const next = async () => {
    const query = { q: 'NAME', verified: true, limit: 50, ...(cursor && { cursor }) };
    const { body } = await relay.call('searchHandles', { token: ann.token, query });
    pages.push(body.handles.map(({ handle }) => handle));
    cursor = body.nextCursor;
  };
  while (cursor !== null) await next();
  expect(pages).toEqual([[], [], ['alike_1090']]);
});

/** Makes a group of its one member into one of {@link MEMBERS}, each with a device. */
function fillGroup(id: string): void {
  write((database) => {
    const own = keyOf(database, ann);
    const key = database.prepare('SELECT id FROM chat_group WHERE public_id = ?').pluck().get(id);
    const account = database.prepare('INSERT INTO account (address, created_at) VALUES (randomblob(20), 0)');
    const member = database.prepare("INSERT INTO roster_person VALUES (?, ?, 1, 1, '[]', NULL, 0, 0)");
    const list = database.prepare(
      `INSERT INTO device_list
       SELECT ?, sequence, list, issued_at, published_at FROM device_list WHERE account_id = ?`,
    );
    const device = database.prepare(
      `INSERT INTO device (account_id, device_id, seal_key, seal_sequence, expires_at, seal_statement)
       SELECT ?, device_id, randomblob(32), seal_sequence, expires_at, seal_statement
         FROM device WHERE account_id = ?`,
    );
    for (let index = 1; index < MEMBERS; index++) {
      const { lastInsertRowid } = account.run();
      member.run(key, lastInsertRowid);
      list.run(lastInsertRowid, own);
      device.run(lastInsertRowid, own);
    }
    database.prepare('UPDATE chat_group SET member_count = ? WHERE id = ?').run(MEMBERS, key);
  });
}

test('views of a group of thousands are complete, and do not delay other calls', async () => {
  const group = await TestRoster.begin(ann, { name: 'Large' });
  fillGroup(group.id);
  const { params } = group;
  const { body: view } = await relay.call('getGroup', { token: ann.token, params });
  expect(view.members).toHaveLength(MEMBERS);
  expect(view).toMatchObject({
    id: group.id,
    memberCount: MEMBERS,
    creator: ann.address,
    botTokens: [],
  });
  expect(Object.keys(view.memberDevices)).toHaveLength(MEMBERS);
  expect(view.memberDeviceKeys[ann.address]).toEqual([ann.device.sealKeyText]);
  const url = `${relay.url}/api/v1/groups/${group.id}`;
  const headers = { authorization: `Bearer ${ann.token}` };
  const look = async () => (await fetch(url, { headers })).arrayBuffer();
  expect(await shortCallsMeanwhile(look)).toBeGreaterThan(3);
});

test('one copy to a group of thousands reads as many rows as one to a small group', async () => {
  const [small, large] = [await TestRoster.begin(ann), await TestRoster.begin(ann, { name: 'Crowd' })];
  fillGroup(large.id);
  const { token } = ann;
  const body = { envelopes: [ann.seal(ann, ann.device, 'to one of thousands')] };
  const { body: answer } = await relay.call('sendGroupEnvelopes', { token, params: large.params, body });
  expect(answer).toMatchObject({ accepted: 1, missing: { length: MEMBERS - 1 } });

  using database = Object.assign(new Database(join(relay.folder.path, 'relay.db')), {
    [Symbol.dispose]: () => database.close(),
  });
  const counted = visitedRows(database);
  const { acceptGroupPost } = prepareOperations(counted.database);
  const envelope = { ...readGroupEnvelope(body.envelopes[0], ann.address), isRemembered: true };
  const rowsFor = (id: string) => {
    const key = Number(database.prepare('SELECT id FROM chat_group WHERE public_id = ?').pluck().get(id));
    return counted.during(async () => {
      const outcome = await acceptGroupPost({
        group: { key, id },
        account: keyOf(database, ann),
        from: ann.address,
        via: 'session',
        network: null,
        now: Date.now(),
        limits: queueLimits(DEFAULT_RELAY_LIMITS),
        envelopes: [envelope],
        rateLimitedCopies: [],
        bot: null,
      });
      expect(outcome).toMatchObject({ status: 'stored', outcomes: [{ status: 'duplicate' }] });
    });
  };
  const few = await rowsFor(small.id);
  expect(few).toBeGreaterThan(0);
  expect(await rowsFor(large.id)).toBeLessThan(10 * few);
});
