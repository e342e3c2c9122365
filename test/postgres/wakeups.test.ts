import pg from 'pg';
import { expect, test } from 'vitest';
import { Primary } from '../../src/relay/store/postgres/primary.ts';
import { PostgresWakeups } from '../../src/relay/store/postgres/wakeups.ts';
import type { Hint } from '../../src/relay/store/wakeups.ts';
import { TestPostgres } from '../support/postgres.ts';

/** A relay as far as wake-ups go, and the received ones. */
async function replica(url: string) {
  const primary = new Primary({ url, pool: { max: 2 }, onWarning: () => undefined });
  await primary.find();
  const wakeups = new PostgresWakeups(primary);
  const received: Hint[] = [];
  wakeups.listen((hint) => received.push(hint));
  return {
    wakeups,
    queues: () => received.flatMap(({ queues }) => queues),
    credentials: () => received.flatMap(({ credentials }) => credentials),
    async [Symbol.asyncDispose]() {
      await wakeups.close();
      await primary.close();
    },
  };
}

/** Every notification on the channel of hints, to a connection that does not count as a relay. */
async function notificationsAt(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const payloads: string[] = [];
  client.on('notification', ({ payload = '' }) => payloads.push(payload));
  await client.query('LISTEN waxwing_hints');
  return {
    payloads,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Sends until it is received: a wake-up before the other listens is lost. */
async function notifyUntilReceived(
  from: PostgresWakeups,
  hint: Hint,
  wasReceived: () => boolean,
): Promise<void> {
  await expect
    .poll(() => {
      from.publish(hint);
      return wasReceived();
    })
    .toBe(true);
}

test('a hint of one relay reaches the others and not itself, also after a kill of the server', async () => {
  await using server = await new TestPostgres().start();
  const url = await server.database();
  await using one = await replica(url);
  await using two = await replica(url);
  const hint = { queues: [7], credentials: ['ended'] };
  await notifyUntilReceived(one.wakeups, hint, () => two.queues().includes(7));
  expect(two.credentials()).toContain('ended');
  await notifyUntilReceived(two.wakeups, { queues: [8], credentials: [] }, () => one.queues().includes(8));
  expect(one.queues()).not.toContain(7);

  await server.stop('SIGKILL');
  one.wakeups.publish({ queues: [9], credentials: [] });
  await server.start();
  await notifyUntilReceived(one.wakeups, { queues: [10], credentials: [] }, () => two.queues().includes(10));
});

test('the only relay sends no hints of queues, and sends them as soon as another one listens', async () => {
  await using server = await new TestPostgres().start();
  const url = await server.database();
  await using one = await replica(url);
  await using outsider = await notificationsAt(url);
  // Each revocation is sent. Until the first count the relay is not known to be alone, and queues are sent, too.
  let sent = 0;
  const queuesBeside = async (queue: number) => {
    const marker = `ended ${++sent}`;
    one.wakeups.publish({ queues: [queue], credentials: [marker] });
    const withMarker = () => outsider.payloads.find((payload) => payload.includes(`"${marker}"`));
    await expect.poll(withMarker).toBeDefined();
    return (JSON.parse(withMarker() ?? '') as Hint).queues;
  };
  await expect.poll(() => queuesBeside(1)).toEqual([]);

  const count = outsider.payloads.length;
  await using two = await replica(url);
  // Its announcement.
  await expect.poll(() => outsider.payloads.length).toBeGreaterThan(count);
  await expect.poll(() => queuesBeside(2)).toEqual([2]);
  await notifyUntilReceived(one.wakeups, { queues: [3], credentials: [] }, () => two.queues().includes(3));
});

test('ten thousand hints at once arrive, in notifications of accepted size', async () => {
  await using server = await new TestPostgres().start();
  const url = await server.database();
  await using one = await replica(url);
  await using two = await replica(url);
  await notifyUntilReceived(one.wakeups, { queues: [1], credentials: [] }, () => two.queues().includes(1));
  const queues = Array.from({ length: 10_000 }, (_, index) => Number.MAX_SAFE_INTEGER - index);
  const credentials = Array.from({ length: 500 }, (_, index) => String(index).padStart(43, 'c'));
  one.wakeups.publish({ queues, credentials });
  await expect.poll(() => new Set(two.queues()).size).toBeGreaterThanOrEqual(10_001);
  await expect.poll(() => new Set(two.credentials()).size).toBe(500);
});

test('a foreign text in the channel is ignored', async () => {
  await using server = await new TestPostgres().start();
  const url = await server.database();
  await using one = await replica(url);
  await using two = await replica(url);
  for (const payload of ['', 'no JSON', '{"from":1}', '{"from":"x","queues":["1"],"credentials":[]}', '[]']) {
    await server.query(url, `SELECT pg_notify('waxwing_hints', '${payload}')`);
  }
  await notifyUntilReceived(one.wakeups, { queues: [3], credentials: [] }, () => two.queues().includes(3));
  expect(new Set(two.queues())).toEqual(new Set([3]));
});
