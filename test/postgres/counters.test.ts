/**
 * Counters shared by relays on one database: the limit applies to all of them, and few calls cost a statement.
 */
import { expect, test } from 'vitest';
import { SenderNetworks } from '../../src/relay/delivery/sender-network.ts';
import { rateOfOne } from '../../src/relay/limits/counters.ts';
import { types } from '../../src/relay/store/postgres/connection.ts';
import { expireCounters, PostgresCounters } from '../../src/relay/store/postgres/counters.ts';
import { Primary } from '../../src/relay/store/postgres/primary.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { newPerson, Person } from '../support/person.ts';
import { ROOMY_RATES } from '../support/rates.ts';
import { TestRelay } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';
import { quickPassword, TestRoster } from '../support/relay-rosters.ts';

/** A database with its tables. */
async function tables(): Promise<string> {
  const url = (await newDatabase()) ?? '';
  const { store } = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  await store.close();
  return url;
}

async function openPrimary(url: string): Promise<Primary> {
  const primary = new Primary({ url, pool: { max: 1, types }, onWarning: () => undefined });
  await primary.find();
  return primary;
}

/** The counters of relays on one database, and how many statements they have made. */
async function replicas(count: number) {
  const primary = await openPrimary(await tables());
  const made: string[] = [];
  const database: Pick<Primary, 'query'> = {
    query(text, values) {
      made.push(text);
      return primary.query(text, values);
    },
  };
  const networks = new SenderNetworks();
  const all = Array.from(
    { length: count },
    () => new PostgresCounters(database, (text) => networks.hash(text)),
  );
  return {
    all,
    database: primary,
    draws: () => made.filter((text) => text.startsWith('\nINSERT INTO counter')).length,
    async [Symbol.asyncDispose]() {
      for (const counters of all) counters.close();
      await primary.close();
    },
  };
}

test('three relays together allow as much as one, and a sixty-fourth more for each', async () => {
  await using group = await replicas(3);
  const rate = { burst: 640, perSecond: 0.001 };
  const limits = group.all.map((counters) => counters.limit('test', rate, 'others'));
  let allowed = 0;
  for (let call = 0; call < 2_400; call++) {
    if ((await limits[call % 3]?.tryConsume('busy')) === 0) allowed++;
  }
  expect(allowed).toBeLessThanOrEqual(640 + 3 * 10);
  expect(allowed).toBeGreaterThanOrEqual(640 - 3 * 10);
  expect(await limits[0]?.tryConsume('busy')).toBeGreaterThan(0);
  expect(await limits[0]?.tryConsume('other')).toBe(0);
  // For 2,400 calls, most of which were refused.
  expect(group.draws()).toBeLessThan(30);
});

test('one relay alone allows exactly its limit', async () => {
  await using group = await replicas(1);
  const limit = group.all[0]?.limit('test', { burst: 200, perSecond: 0.001 }, 'others');
  let allowed = 0;
  for (let call = 0; call < 400; call++) if ((await limit?.tryConsume('busy')) === 0) allowed++;
  expect(allowed).toBe(200);
});

test('a caller with few calls causes no statement', async () => {
  await using group = await replicas(1);
  const limit = group.all[0]?.limit('test', { burst: 1_000, perSecond: 50 }, 'networks');
  for (let call = 0; call < 10; call++) {
    for (let index = 0; index < 100; index++) expect(limit?.tryConsume(`network ${index}`)).toBe(0);
  }
  expect(group.draws()).toBe(0);
});

test('unused room is returned', async () => {
  await using group = await replicas(1);
  const limit = group.all[0]?.limit('test', { burst: 3, perSecond: 0.001 }, 'others');
  for (let count = 0; count < 20; count++) {
    expect(await limit?.tryConsume('a')).toBe(0);
    limit?.giveBack('a');
  }
});

test('a wrong try on one relay makes the next one wait on the other; simultaneous tries both count', async () => {
  await using group = await replicas(2);
  const delays = group.all.map((counters) => counters.delays('test'));
  await delays[0]?.count('key');
  // As after ten wrong guesses, the last of them long ago: the wait is longer than any test.
  await group.database.query('UPDATE counter SET level = 10, at = 0');
  const tries = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => delays[index % 2]?.count('key')),
  );
  expect(tries.filter((tried) => tried?.wait === 0)).toEqual([{ wait: 0, earlier: 10 }]);
  expect(tries.filter((tried) => (tried?.wait ?? 0) > 900)).toHaveLength(9);
  await delays[1]?.giveBack('key');
  expect(await delays[0]?.count('key')).toEqual({ wait: 0, earlier: 10 });
  await delays[1]?.forget('key');
  expect(await delays[0]?.count('key')).toEqual({ wait: 0, earlier: 0 });
});

test('a wrong try under a clock far ahead blocks no one after the clock is corrected', async () => {
  await using group = await replicas(1);
  const delays = group.all[0]?.delays('test');
  await delays?.count('key');
  const year = 365 * 24 * 3_600_000;
  await group.database.query('UPDATE counter SET at = at + $1, until = until + $1', [year]);
  expect(await delays?.count('key')).toEqual({ wait: 0, earlier: 1 });
  const { wait = 0 } = (await delays?.count('key')) ?? {};
  expect(wait).toBeLessThanOrEqual(3_600);
});

test('expired counters are deleted, and the others stay', async () => {
  await using group = await replicas(1);
  const [counters] = group.all;
  await counters?.limit('test', { burst: 1, perSecond: 1_000 }, 'others').tryConsume('soon full');
  await counters?.limit('test', { burst: 1, perSecond: 0.001 }, 'others').tryConsume('long empty');
  await expect
    .poll(async () => {
      await expireCounters(group.database);
      return group.database.query('SELECT 1 AS one FROM counter');
    })
    .toHaveLength(1);
});

test('relays know their number, and each enforces its part of the rate to one address', async () => {
  const database = await tables();
  await using one = await new TestRelay({ database }).start();
  await using two = await new TestRelay({ database, publicUrl: one.url, hosts: ['127.0.0.1'] }).start();
  const primary = await openPrimary(database);
  await expect
    .poll(async () => {
      const counters = new PostgresCounters(primary, (text) => text);
      await primary.query('SELECT 1'); // after the question that it begins with
      counters.close();
      return counters.replicas;
    })
    .toBe(2);
  await primary.close();
  const part = rateOfOne({ burst: 10, perSecond: 4 }, { replicas: 2 });
  expect([part.burst, part.perSecond]).toEqual([5, 2]);
  await two.call('getRelay');
});

test('two relays together allow about as many calls of one credential as one', async () => {
  const database = await tables();
  const credential = { burst: 64, perSecond: 0.001 };
  const options = { database, limits: { rates: { ...ROOMY_RATES, credential } } };
  await using one = await new TestRelay(options).start();
  await using two = await new TestRelay({ ...options, publicUrl: one.url, hosts: ['127.0.0.1'] }).start();
  const { token } = await new Person(one).login();
  let allowed = 0;
  for (let call = 0; call < 140; call++) {
    const { status, headers } = await (call % 2 === 0 ? one : two).fetch('/api/v1/me', { token });
    if (status === 200) allowed++;
    else expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  }
  expect(allowed).toBeGreaterThanOrEqual(62);
  expect(allowed).toBeLessThanOrEqual(66);
});

test('guesses at the password of a group count on all relays', async () => {
  const database = await tables();
  const options = { database, limits: { rates: ROOMY_RATES } };
  await using one = await new TestRelay(options).start();
  await using two = await new TestRelay({ ...options, publicUrl: one.url, hosts: ['127.0.0.1'] }).start();
  const [ann, eve] = [await newPerson(one), await newPerson(one)];
  const { params } = await TestRoster.begin(ann, { password: 'right' });
  const guess = (password: string) => ({
    token: eve.token,
    params,
    body: { password: quickPassword(password).passwordProof },
  });
  await one.refuse('wrong_password', 'admitToGroup', guess('wrong'));
  const primary = await openPrimary(database);
  await primary.query('UPDATE counter SET at = at + 60000'); // a wait that outlasts the test
  await primary.close();
  await two.refuse('rate_limited', 'admitToGroup', guess('right'));
});

test('relays with one database password have one name for a network, and others do not', async () => {
  const url = await tables();
  const nameFor = async (password: string) => {
    const { store, networkKey } = await openPostgresStore({
      url: Object.assign(new URL(url), { password }).href,
      queueBytes: 1e9,
      onWarning: () => undefined,
    });
    await store.close();
    return new SenderNetworks(networkKey).nameOf('203.0.113.7');
  };
  const name = await nameFor('one');
  expect(await nameFor('one')).toBe(name);
  expect(await nameFor('other')).not.toBe(name);
  expect(await nameFor('')).not.toBe(await nameFor(''));
});
