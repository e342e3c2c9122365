/** The history for a newly linked computer, interrupted by restarts, losses, removals and kills. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { namesOnDisk } from '../../support/file-chat.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { contentsOf, fileOf, HistoryWorld, isBlob, untilComplete } from '../../support/linked-history.ts';
import { LocalEngine } from '../../support/local-engine.ts';

let world: HistoryWorld<LocalEngine>;
beforeEach(async () => {
  world = await HistoryWorld.start((url) => new LocalEngine(url));
});
afterEach(() => world[Symbol.asyncDispose]());

const receiving = async () => (await callEngine(world.desktop, 'history.get', {})).receiving;
const sending = async () => (await callEngine(world.laptop, 'history.get', {})).sending;
/** Only the file of the message stays, on both disks and at the relay. */
async function untilClean(onDesktop: number): Promise<void> {
  for (const [engine, count] of [
    [world.laptop, 1],
    [world.desktop, onDesktop],
  ] as const)
    await eventually(
      async () => namesOnDisk(engine),
      ({ length }) => length === count,
    );
  await eventually(
    () => world.blobs(),
    (count) => count === 1,
  );
}
/**
 * Limits the desktop to the download of the first parts. They are uploaded first, and downloaded beside others and the file of the message.
 * @returns a function that allows it to continue
 */
function stopDownloadsAfter(parts: number): () => Promise<void> {
  const first: string[] = [];
  world.proxy.cuts = ({ method, path, stage }) => {
    const blob = /\/blobs\/([\w-]+)/.exec(path)?.[1];
    if (blob === undefined || stage !== 'before') return false;
    if (method === 'PUT' && first.length < parts && !first.includes(blob)) first.push(blob);
    return method === 'GET' && !first.includes(blob);
  };
  return async () => {
    world.proxy.cuts = () => false;
    await callEngine(world.desktop, 'connection.retry', {});
  };
}

test('computers that are closed and parts that the relay loses delay the history, and nothing is lost', async () => {
  const { desktop, laptop } = world;
  const goOn = stopDownloadsAfter(2);
  await world.link();
  await eventually(receiving, (found) => (found?.done ?? 0) >= 1);
  // The newest messages are there first.
  expect((await contentsOf(desktop)).every((text) => !text.startsWith('0 '))).toBe(true);
  const token = (await laptop.handle.inboxAccess())?.token ?? '';
  await laptop.close();
  await desktop.close();
  for (const { id } of await world.relay.rows<{ id: Uint8Array }>('SELECT public_id AS id FROM blob'))
    await world.relay.call('deleteBlob', { token, params: { id: Buffer.from(id).toString('base64url') } });
  await desktop.start();
  await goOn();
  await laptop.start();
  await untilComplete(desktop);
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(world.bytes)).toBe(true);
});

test('the new computer ends the transfer: only merged messages stay', async () => {
  const { desktop } = world;
  stopDownloadsAfter(2);
  await world.link();
  await eventually(receiving, (found) => (found?.done ?? 0) >= 1);
  await callEngine(desktop, 'history.stop', { deviceId: null });
  expect(await receiving()).toBeNull();
  await eventually(sending, ({ length }) => length === 0);
  await untilClean(0);
  expect((await contentsOf(desktop)).length).toBeLessThan((await contentsOf(world.laptop)).length);
});

test('the other computer ends it, and the new one reports this', async () => {
  stopDownloadsAfter(2);
  await world.link();
  await eventually(receiving, (found) => (found?.done ?? 0) >= 1);
  const [to] = await sending();
  await callEngine(world.laptop, 'history.stop', { deviceId: to?.deviceId ?? '' });
  expect(await sending()).toEqual([]);
  await eventually(receiving, (found) => found?.state === 'stopped');
  await untilClean(0);
});

test('a computer that is removed gets nothing more', async () => {
  const goOn = stopDownloadsAfter(2);
  await world.link();
  await eventually(receiving, (found) => (found?.done ?? 0) >= 1);
  const [to] = await sending();
  await callEngine(world.laptop, 'devices.revoke', { id: to?.deviceId ?? '' });
  await eventually(sending, ({ length }) => length === 0);
  await eventually(
    () => world.blobs(),
    (count) => count === 1,
  );
  await goOn();
  await eventually(
    () => callEngine(world.desktop, 'connection.get', {}),
    ({ problem }) => problem?.code === 'device_refused',
  );
  // The downloaded parts may still be merged after the removal.
  expect((await contentsOf(world.desktop)).length).toBeLessThan((await contentsOf(world.laptop)).length);
});

test('parts that the relay swaps are refused, and requested again', async () => {
  const { desktop, laptop, proxy } = world;
  const requests: string[] = [];
  let swapped = 0;
  /** As many as are requested again at once, if all of them are of one part. */
  const most = 3;
  proxy.rewrites = (path, method) => {
    if (method !== 'GET' || !/\/blobs\/[\w-]+$/.test(path)) return path;
    if (!requests.includes(path)) requests.push(path);
    const other = requests.find((each) => each !== path);
    if (other === undefined || swapped >= most) return path;
    swapped += 1;
    return other;
  };
  await world.link();
  await untilComplete(desktop);
  expect(swapped).toBe(most);
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(world.bytes)).toBe(true);
});

test('a message deleted for everyone while the history is on its way stays deleted', async () => {
  const { desktop, laptop } = world;
  const goOn = stopDownloadsAfter(1);
  await world.link();
  await eventually(receiving, (found) => (found?.done ?? 0) >= 1);
  const { messages } = await callEngine(laptop, 'messages.list', {
    conversationId: world.people.chat,
    limit: 200,
  });
  const deleted = messages.filter(({ text }) => /^(?:0|20) /.test(text ?? ''));
  expect(deleted).toHaveLength(2);
  await callEngine(laptop, 'messages.delete', { ids: deleted.map(({ id }) => id), forEveryone: true });
  await eventually(
    async () => (await callEngine(laptop, 'connection.get', {})).queued,
    (queued) => queued === 0,
  );
  await goOn();
  await untilComplete(desktop);
  const texts = await contentsOf(desktop);
  expect(texts.filter((text) => /^(?:0|20) /.test(text))).toEqual([]);
  expect(texts).toHaveLength(messages.length);
});

/** Kills a computer during its call for a part or an envelope. */
test.each([
  ['laptop', [2, 5, 9, 14, 20, 26]],
  ['desktop', [2, 4, 7, 11, 16, 21]],
] as const)('a %s that is killed at any call loses nothing and sends nothing twice', async (who, calls) => {
  await using killable = await HistoryWorld.start((url) => new KillableEngine(url));
  const { desktop, laptop, proxy } = killable;
  const victim = killable[who];
  const left = [...calls];
  let count = 0;
  let kills = 0;
  let isDown = false;
  proxy.cuts = async ({ method, path, stage }) => {
    const isOwn =
      who === 'laptop' ? method !== 'GET' && method !== 'DELETE' : method === 'GET' || method === 'DELETE';
    const isCounted = stage === 'after' && (isBlob(path) || path.endsWith('/envelopes')) && isOwn;
    if (!isCounted || isDown || ++count !== left[0]) return isDown && isCounted;
    left.shift();
    isDown = true;
    kills += 1;
    await victim.kill();
    await victim.start();
    isDown = false;
    return true;
  };
  await killable.link();
  await eventually(
    async () => (await callEngine(desktop, 'history.get', {}).catch(() => null))?.receiving,
    (found) => found?.state === 'complete',
  );
  proxy.cuts = () => false;
  expect(kills).toBeGreaterThan(3);
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(killable.bytes)).toBe(true);
});
