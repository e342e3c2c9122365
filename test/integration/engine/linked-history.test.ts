/** The history for a newly linked computer, through a real relay. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { namesOnDisk } from '../../support/file-chat.ts';
import { contentsOf, fileOf, HistoryWorld, untilComplete } from '../../support/linked-history.ts';
import { LocalEngine } from '../../support/local-engine.ts';

let world: HistoryWorld<LocalEngine>;
beforeEach(async () => {
  world = await HistoryWorld.start((url) => new LocalEngine(url));
});
afterEach(() => world[Symbol.asyncDispose]());

const receiving = async () => (await callEngine(world.desktop, 'history.get', {})).receiving;
const sending = async () => (await callEngine(world.laptop, 'history.get', {})).sending;
/** Only the file of the message stays, on both disks and at the relay. */
async function untilClean(): Promise<void> {
  for (const engine of [world.laptop, world.desktop])
    await eventually(
      async () => namesOnDisk(engine),
      ({ length }) => length === 1,
    );
  await eventually(
    () => world.blobs(),
    (count) => count === 1,
  );
}
test('a linked computer gets people, messages and files, and nothing of it stays at the relay', async () => {
  const { desktop, laptop } = world;
  await world.link();
  await untilComplete(desktop);
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(world.bytes)).toBe(true);
  const [chat] = await callEngine(desktop, 'conversations.list', {});
  expect(chat).toMatchObject({ state: 'accepted', unread: 0 });
  await eventually(sending, ({ length }) => length === 0);
  await untilClean();
  await callEngine(desktop, 'history.stop', { deviceId: null });
  expect(await receiving()).toBeNull();
});

test('without the choice of the person nothing is sent', async () => {
  await world.link(false);
  await eventually(receiving, (found) => found === null);
  expect(await contentsOf(world.desktop)).toEqual([]);
  expect(await sending()).toEqual([]);
});
