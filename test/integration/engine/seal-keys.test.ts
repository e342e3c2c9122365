/**
 * A device's seal keys over the weeks, by a clock that is moved: engine and relay run in this process.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import { IdentityRows } from '../../../src/engine/cache/identity-rows.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { newBot } from '../../support/bots.ts';
import { allMessages, eventually, setUp, temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;
const RETENTION_DAYS = 10;

let resources: AsyncDisposableStack;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  resources = new AsyncDisposableStack();
  resources.defer(() => void vi.useRealTimers());
});
afterEach(() => resources.disposeAsync());

function travel(days: number): void {
  vi.setSystemTime(Date.now() + days * DAY);
}

test('a seal key is replaced after a week, opens what is under way, and is erased when the relay’s retention has passed', async () => {
  const limits = { retentionSeconds: (RETENTION_DAYS * DAY) / 1000 };
  const relay = resources.use(await new TestRelay({ limits }).start());
  const folder = resources.use(temporaryFolder());
  const databaseKey = randomBytes(32);
  const sealingWorker = new URL('../../../src/engine/sealing/worker.ts', import.meta.url);
  const relays = { embedded: null, fixed: relay.url };
  const start = (cache = openCache(folder.path, databaseKey)) => ({
    cache,
    engine: new Engine(cache, { sealingWorker, relays }, () => undefined),
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
  travel(6);
  await ben.send(address, 'within the week');
  await arrived(1);
  expect(await keys()).toEqual([first]);

  await app.engine.close();
  await ben.send(address, 'sealed to the first key, which is replaced before it arrives');
  travel(2);
  app = start();
  const [second = '', kept] = await keysAre(2);
  expect(kept).toBe(first);
  await arrived(2);
  expect(await announced()).toEqual([second]);

  // The first was replaced ten days ago, and is granted one day more.
  travel(RETENTION_DAYS);
  await ben.send(address, 'wakes the engine');
  const [third = ''] = await keysAre(3);
  await arrived(3);
  expect(await keys()).toEqual([third, second, first]);

  travel(2);
  await ben.send(address, 'wakes it again');
  expect(await keysAre(2)).toEqual([third, second]);
  await arrived(4);
});
