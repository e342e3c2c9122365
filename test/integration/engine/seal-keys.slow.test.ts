/**
 * A device's seal keys over several days. Engine and relay run in this process, on a clock that the test
 * advances.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import { IdentityRows } from '../../../src/engine/cache/identity-rows.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { newBot } from '../../support/bots.ts';
import { allMessages, callEngine, eventually, setUp, temporaryFolder } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;

let resources: AsyncDisposableStack;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  resources = new AsyncDisposableStack();
  resources.defer(() => void vi.useRealTimers());
});
afterEach(() => resources.disposeAsync());

function travel(days: number): void {
  vi.setSystemTime(Date.now() + days * DAY);
}

test('a seal key is replaced daily, opens mail in transit, and is erased when none can arrive', async () => {
  const relay = resources.use(await new TestRelay().start());
  const folder = resources.use(temporaryFolder());
  const databaseKey = randomBytes(32);
  const sealingWorker = new URL('../../../src/engine/sealing/worker.ts', import.meta.url);
  const fileWorker = new URL('../../../src/engine/files/worker.ts', import.meta.url);
  const relays = { embedded: null, fixed: relay.url };
  const start = (cache = openCache(folder.path, databaseKey)) => ({
    cache,
    engine: new Engine(cache, { sealingWorker, fileWorker, relays }, () => undefined),
  });
  let app = start();
  resources.defer(() => app.engine.close());
  const keys = async () => new IdentityRows(app.cache).sealKeys().map(({ statement }) => statement.key);
  const arrived = (count: number) =>
    eventually(
      () => allMessages(app.engine),
      ({ length }) => length === count,
    );
  const keysAre = (count: number) => eventually(keys, ({ length }) => length === count);

  const { address } = await setUp(app.engine, 'ann');
  const { client: ben } = await newBot(relay, { handle: 'ben' });
  const announced = async () => (await ben.keys(address)).sealKeys.map(({ key }) => key);
  const [first = ''] = await keys();
  travel(0.9);
  await ben.send(address, 'within the day');
  await arrived(1);
  expect(await keys()).toEqual([first]);

  await app.engine.close();
  await ben.send(address, 'sealed to the first key, which is replaced before it arrives');
  travel(0.2);
  app = start();
  const [second = '', kept] = await keysAre(2);
  expect(kept).toBe(first);
  await arrived(2);
  expect(await announced()).toEqual([second]);

  // The relay accepts copies for the first for a while: it stays until the queue was read to its end after that.
  travel(19 / 24 / 60);
  await ben.send(address, 'wakes the engine');
  await arrived(3);
  expect(await keys()).toEqual([second, first]);
  travel(2 / 24 / 60);
  await ben.send(address, 'wakes it again');
  await arrived(4);
  await ben.send(address, 'and again');
  expect(await keysAre(1)).toEqual([second]);
});

test('after a week without an accepted seal key the app explains the consequence', async () => {
  const hostile = resources.use(await HostileRelay.start());
  const folder = resources.use(temporaryFolder());
  const sealingWorker = new URL('../../../src/engine/sealing/worker.ts', import.meta.url);
  const fileWorker = new URL('../../../src/engine/files/worker.ts', import.meta.url);
  const relays = { embedded: null, fixed: hostile.url };
  const key = randomBytes(32);
  const start = () =>
    new Engine(openCache(folder.path, key), { sealingWorker, fileWorker, relays }, () => undefined);
  let engine = start();
  resources.defer(() => engine.close());
  await setUp(engine, 'ann');
  const sentence = () =>
    eventually(
      () => callEngine(engine, 'connection.get', {}),
      ({ state }) => state === 'offline',
    );
  hostile.babble(
    (path) => path.endsWith('/seal-key'),
    (_, response) => response.writeHead(500).end(),
  );
  for (const [days, isReported] of [
    [2, false],
    [6, true],
  ] as const) {
    await engine.close();
    travel(days);
    engine = start();
    const { isKeyOverdue } = await sentence();
    expect(isKeyOverdue).toBe(isReported);
  }
});
