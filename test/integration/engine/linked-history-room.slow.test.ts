/** The history for a newly linked computer without room for it: at the relay, and on the disk of the new computer. */
import { expect, test } from 'vitest';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { namesOnDisk } from '../../support/file-chat.ts';
import { setFull } from '../../support/full-disk.ts';
import {
  contentsOf,
  fileOf,
  HistoryWorld,
  type HistoryWorldOptions,
  isBlob,
  untilComplete,
} from '../../support/linked-history.ts';

/** Time for which the sender counts a deleted part, and after which the relay has deleted it, in milliseconds. */
const QUARTER = 15 * 60_000;
/** Longest time until a full disk is tried again, in milliseconds. */
const RETRY = 5 * 60_000;

const FULL_DISK_THREAD = new URL('../../support/full-disk-thread.ts', import.meta.url);

/** A computer whose database a test can deprive of room, and its files with {@link FULL_DISK_THREAD}. */
class CrampedEngine extends ClockedEngine {
  /** Number of parts that were downloaded and are not merged. */
  get partsHere(): number {
    const parts = this.cache?.prepare(
      'SELECT count(*) FROM history_parts p JOIN files f ON f.id = p.file_id WHERE f.is_here',
    );
    return parts?.pluck().get() as number;
  }

  /** Refuses each new page of the database, as on a full disk, or allows them again. */
  setCacheFull(isFull: boolean): void {
    const pages = this.cache?.pragma('page_count', { simple: true }) as number;
    this.cache?.pragma(`max_page_count = ${isFull ? pages : 2 ** 30}`);
  }
}

type World = HistoryWorld<CrampedEngine>;

function startWorld(options?: HistoryWorldOptions): Promise<World> {
  let made = 0;
  return HistoryWorld.start((url) => {
    const engine = new CrampedEngine(url);
    made += 1;
    // The new computer is the third one.
    if (made === 3) engine.fileWorker = FULL_DISK_THREAD;
    return engine;
  }, options);
}

const receiving = async ({ desktop }: World) => (await callEngine(desktop, 'history.get', {})).receiving;

async function expectComplete({ desktop, laptop, bytes }: World): Promise<void> {
  expect(await contentsOf(desktop)).toEqual(await contentsOf(laptop));
  expect((await fileOf(desktop))?.equals(bytes)).toBe(true);
}

/** Moves the clocks of both computers by a quarter of an hour. The relay deletes the bytes of deleted parts. */
async function passQuarter({ proxy, relay, laptop, desktop }: World): Promise<void> {
  const { cuts } = proxy;
  // No login meanwhile: sessions are renewed by the clock of the machine.
  proxy.cuts = () => true;
  await relay.stop();
  relay.ahead = QUARTER;
  // Its expiry job runs at the start.
  await relay.start();
  await eventually(
    () => relay.rows<object>('SELECT id FROM blob_bytes_to_drop'),
    ({ length }) => length === 0,
  );
  relay.ahead = 0;
  proxy.cuts = cuts;
  for (const engine of [laptop, desktop]) engine.ahead += QUARTER;
  for (const engine of [laptop, desktop]) await callEngine(engine, 'connection.retry', {});
}

test('a history larger than the room of the account at the relay moves in parts, and is complete', async () => {
  const accountBlobBytes = 384 * 1024;
  await using world = await startWorld({ limits: { accountBlobBytes }, texts: 40 });
  const { desktop, laptop, relay } = world;
  const sizes: number[] = [];
  const refused: string[] = [];
  world.proxy.cuts = async ({ path, stage }) => {
    if (stage !== 'after' || !isBlob(path)) return false;
    const [used] = await relay.rows<{ bytes: number }>('SELECT max(bytes) AS bytes FROM blob_usage');
    sizes.push(Number(used?.bytes ?? 0));
    return false;
  };
  await world.link();
  let quarters = 0;
  for (;;) {
    const found = await eventually(
      async () => {
        const { sending } = await callEngine(laptop, 'history.get', {});
        refused.push(...sending.flatMap(({ problem }) => problem?.code ?? []));
        const parts = namesOnDisk(laptop).length - 1;
        return { now: await receiving(world), sending, parts, blobs: await world.blobs(), quarters };
      },
      // Or the sender waits for room: no part is on its way.
      ({ now, parts, blobs }) =>
        now?.state === 'complete' || ((now?.done ?? 0) > 0 && parts === 0 && blobs === 1),
    );
    if (found.now?.state === 'complete') break;
    quarters += 1;
    await passQuarter(world);
  }
  await expectComplete(world);
  const texts = await contentsOf(desktop);
  expect(texts.join('').length).toBeGreaterThan(accountBlobBytes);
  expect(quarters).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(accountBlobBytes);
  expect(refused, 'the sender counts, and is not refused').toEqual([]);
});

test('a full disk at the new computer stops the history with its reason, and it continues when there is room', async () => {
  await using world = await startWorld();
  const { desktop, laptop, proxy } = world;
  const fill = (isFull: boolean) => setFull(isFull, 1);
  let downloads = 0;
  proxy.cuts = async ({ method, path, stage }) => {
    const isPart = method === 'GET' && isBlob(path) && stage === 'before';
    if (isPart && ++downloads === 3) await fill(true);
    return false;
  };
  await world.link();
  await eventually(
    () => receiving(world),
    (found) => found?.problem?.code === 'disk_full',
  );
  const had = await contentsOf(desktop);
  expect(had.length).toBeLessThan((await contentsOf(laptop)).length);

  // Now the database: the parts arrive, and cannot be merged.
  desktop.setCacheFull(true);
  await fill(false);
  desktop.ahead += RETRY;
  await eventually(
    async () => desktop.partsHere > 0 && (await receiving(world))?.problem?.code === 'disk_full',
    (isStopped) => isStopped,
  );
  expect(await contentsOf(desktop), 'nothing is lost').toEqual(expect.arrayContaining(had));
  desktop.setCacheFull(false);
  desktop.ahead += RETRY;
  await untilComplete(desktop);
  await expectComplete(world);
  await eventually(
    async () => (await callEngine(laptop, 'history.get', {})).sending,
    ({ length }) => length === 0,
  );
});
