/** A primary and a synchronous standby, as operators run them so that no data is lost with a machine. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Primary } from '../../src/relay/store/postgres/primary.ts';
import { PostgresWakeups } from '../../src/relay/store/postgres/wakeups.ts';
import { newPerson } from '../support/person.ts';
import type { TestPostgres } from '../support/postgres.ts';
import { PostgresPair } from '../support/postgres-pair.ts';
import { TestRelay } from '../support/relay.ts';
import { sendEnvelope } from '../support/send-answer.ts';

const pair = new PostgresPair();
beforeAll(() => pair.start());
afterAll(() => pair[Symbol.asyncDispose]());

/** Number of envelopes on a server. */
async function countAt(server: TestPostgres, url: string): Promise<number> {
  const database = new URL(url.replace(/@[^/]*/, '@one')).pathname.slice(1);
  const [row] = await server.query<{ count: number }>(
    database,
    'SELECT count(*)::int AS count FROM envelope',
  );
  return row?.count ?? 0;
}

/** Ends the wait of those commits that wait for the standby, as a timeout does. */
const giveUpCommits = () =>
  pair.primary.query(
    'postgres',
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );

test('an old primary that returns, and confirms everything, is not used', async () => {
  const url = await pair.database();
  await using relay = await new TestRelay({ database: url }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  await pair.failOver();
  await pair.standby.start();
  await pair.forgetStandbys();
  const sendThrough = async (by: TestRelay) =>
    (await sendEnvelope(by, from, from.seal(to, to.device, 'new'))).status;
  await expect.poll(() => sendThrough(relay)).toBe(201);
  // It has no earlier state, and queries both.
  await using fresh = await new TestRelay({ database: url, publicUrl: relay.url }).start();
  expect(await sendThrough(fresh)).toBe(201);
  expect(await countAt(pair.primary, url)).toBe(2);
  expect(await countAt(pair.standby, url)).toBe(0);
  await pair.rebuild();
});

test('hints between relays continue at the new primary', async () => {
  const url = await pair.database();
  const open = async () => {
    const primary = new Primary({ url, pool: { max: 2 }, onWarning: () => undefined });
    await primary.find();
    const wakeups = new PostgresWakeups(primary);
    return { primary, wakeups };
  };
  const [one, two] = [await open(), await open()];
  const received = new Set<number>();
  two.wakeups.listen(({ queues }) => {
    for (const queue of queues) received.add(queue);
  });
  const publishUntilReceived = (queue: number) =>
    expect
      .poll(() => {
        one.wakeups.publish({ queues: [queue], credentials: [] });
        return received.has(queue);
      })
      .toBe(true);
  await publishUntilReceived(1);
  await pair.failOver();
  await publishUntilReceived(2);
  await pair.rebuild();
  for (const { primary, wakeups } of [one, two]) {
    await wakeups.close();
    await primary.close();
  }
});

test('a relay leaves a primary that still answers when a standby was promoted', async () => {
  const url = await pair.database();
  await using relay = await new TestRelay({ database: url }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  await pair.promote();
  await pair.forgetStandbys();
  const sendOne = () => sendEnvelope(relay, from, from.seal(to, to.device, 'where to'));
  await expect.poll(() => sendOne().then(() => countAt(pair.primary, url))).toBeGreaterThan(0);
  const before = await countAt(pair.standby, url);
  await sendOne();
  expect(await countAt(pair.standby, url)).toBe(before);
  await pair.rebuild();
});

test('a write that did not reach the standby is not confirmed, and neither is its retry, until it has', async () => {
  const url = await pair.database();
  await using relay = await new TestRelay({ database: url }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const body = from.seal(to, to.device, 'on one disk');
  await pair.cut();
  for (const isGivenUp of [false, true]) {
    const answer = sendEnvelope(relay, from, body);
    // The first time the relay gives up by itself, after a while.
    if (isGivenUp) await expect.poll(async () => (await giveUpCommits()).length).toBe(1);
    expect(await answer).toMatchObject({ status: 503, retryAfter: '1' });
    expect(await countAt(pair.primary, url)).toBe(1);
  }
  const retry = sendEnvelope(relay, from, body);
  await pair.join();
  expect((await retry).status).toBe(200);
  await pair.failOver();
  expect(await countAt(pair.primary, url)).toBe(1);
  await pair.rebuild();
});
