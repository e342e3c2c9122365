/** A linked computer that is off for more than 30 days while it receives the history, through a real relay. */
import { afterEach, expect, test, vi } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { contentsOf, fileOf, HistoryWorld, isBlob, untilComplete } from '../../support/linked-history.ts';
import { LocalEngine } from '../../support/local-engine.ts';

const ABSENCE = 31 * 24 * 3_600_000;
const LATER_THREAD = new URL('../../support/month-ahead-thread.ts', import.meta.url);

afterEach(() => vi.useRealTimers());

const startWorld = () => HistoryWorld.start((url) => new LocalEngine(url));
type World = Awaited<ReturnType<typeof startWorld>>;

const sending = async ({ laptop }: World) => (await callEngine(laptop, 'history.get', {})).sending;

/** Ends the new computer after its first part, and passes 31 days. @returns its id */
async function leaveAfterOnePart(world: World): Promise<string> {
  const { desktop, laptop, proxy } = world;
  let left = 1;
  proxy.cuts = ({ method, path, stage }) =>
    method === 'GET' && isBlob(path) && stage === 'before' && left-- <= 0;
  await world.link();
  await eventually(
    async () => (await callEngine(desktop, 'history.get', {})).receiving,
    (found) => (found?.done ?? 0) >= 1,
  );
  await desktop.close();
  await laptop.close();
  proxy.cuts = () => false;
  // The clock of both computers and of the relay.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ABSENCE });
  for (const engine of [laptop, desktop]) engine.fileWorker = LATER_THREAD;
  await laptop.start();
  const [missed] = await eventually(
    () => sending(world),
    ([first]) => first?.state === 'missed',
  );
  // Only the file of the message stays at the relay.
  await eventually(
    () => world.blobs(),
    (count) => count === 1,
  );
  return missed?.deviceId ?? '';
}

async function expectComplete(world: World): Promise<void> {
  const { desktop, laptop, bytes } = world;
  await untilComplete(desktop);
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(bytes)).toBe(true);
  await eventually(
    () => sending(world),
    ({ length }) => length === 0,
  );
}

test('the sender reports it, asks when the computer is on again, and sends everything then', async () => {
  await using world = await startWorld();
  const deviceId = await leaveAfterOnePart(world);
  await world.desktop.start();
  await eventually(
    () => sending(world),
    ([first]) => first?.state === 'back',
  );
  await callEngine(world.laptop, 'history.offer', { deviceId });
  await expectComplete(world);
});

test('an offer before the computer is on again is sent without another question', async () => {
  await using world = await startWorld();
  const deviceId = await leaveAfterOnePart(world);
  await callEngine(world.laptop, 'history.offer', { deviceId });
  expect(await sending(world)).toMatchObject([{ deviceId, state: 'waiting' }]);
  await world.desktop.start();
  await expectComplete(world);
});

test('without an offer the computer that is on again keeps what it has', async () => {
  await using world = await startWorld();
  const deviceId = await leaveAfterOnePart(world);
  await world.desktop.start();
  await eventually(
    () => sending(world),
    ([first]) => first?.state === 'back',
  );
  await callEngine(world.laptop, 'history.stop', { deviceId });
  await eventually(
    async () => (await callEngine(world.desktop, 'history.get', {})).receiving,
    (found) => found === null,
  );
  expect(await sending(world)).toEqual([]);
});
