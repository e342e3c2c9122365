/** A device that is added to an account elsewhere is announced on the person's other devices until they answer. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  callEngine,
  eventually,
  linkEngines,
  setUp,
  setUpWithPhrase,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

let resources: AsyncDisposableStack;
let relay: TestRelay;
let laptop: TestEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  laptop = await newEngine();
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<TestEngine> {
  return resources.use(await new LocalEngine(relay.url).start());
}

const embedded = { kind: 'embedded' as const };
const added = (engine: TestEngine) => callEngine(engine, 'devices.added', {});

/** Recovers the account on another computer. Returns its engine and device id. */
async function recover(secret: string): Promise<{ engine: TestEngine; id: string }> {
  const engine = await newEngine();
  const identity = { kind: 'import' as const, secret };
  const { deviceId } = await callEngine(engine, 'setup.finish', { relay: embedded, identity });
  return { engine, id: deviceId };
}

test('a device recovered elsewhere is announced once, and until it is confirmed, over restarts', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  const news: boolean[] = [];
  laptop.handle.onEvent((name, payload) => {
    if (name === 'devices.changed') news.push((payload as { isNew: boolean }).isNew);
  });
  const before = Date.now();
  const thief = await recover(phrase);
  // Without a call to the laptop: its open page must learn about it.
  const [device] = await eventually(
    () => added(laptop),
    ({ length }) => length === 1,
  );
  expect(device).toMatchObject({ id: thief.id, type: 'app', name: null });
  expect(device?.at).toBeGreaterThanOrEqual(before - 1_000);
  expect(device?.at).toBeLessThanOrEqual(Date.now());
  expect(news.filter(Boolean)).toHaveLength(1);
  expect(await added(thief.engine)).toEqual([]);

  await laptop.close();
  await laptop.start();
  expect(await added(laptop)).toEqual([device]);
  expect(await callEngine(laptop, 'devices.confirmAdded', { ids: [thief.id] })).toEqual([]);
  await laptop.close();
  await laptop.start();
  expect(await added(laptop)).toEqual([]);
});

test('a computer that was off announces the device at its next start, and not after its removal', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  await laptop.close();
  const thief = await recover(phrase);
  await laptop.start();
  await eventually(
    () => added(laptop),
    ([device]) => device?.id === thief.id,
  );
  await callEngine(laptop, 'devices.revoke', { id: thief.id });
  expect(await added(laptop)).toEqual([]);
});

test('a linked device is announced on the third device only, with its name', async () => {
  await setUp(laptop, 'ann');
  const attic = await newEngine();
  await linkEngines(laptop, attic);
  const fresh = await newEngine();
  const { deviceId } = await linkEngines(laptop, fresh);
  const [device] = await eventually(
    () => added(attic),
    ([each]) => (each?.name ?? null) !== null,
  );
  expect(device).toMatchObject({ id: deviceId, name: expect.stringMatching(/^Waxwing \(/) });
  expect(await added(laptop)).toEqual([]);
  expect(await added(fresh)).toEqual([]);
});

test('a device that the list of own devices shows first is announced', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  const thief = await recover(phrase);
  expect(await callEngine(laptop, 'devices.list', {})).toHaveLength(2);
  expect((await added(laptop)).map(({ id }) => id)).toEqual([thief.id]);
});
