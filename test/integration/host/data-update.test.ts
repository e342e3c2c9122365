/** The update of large data when it is opened: shown while it runs, and ended with the app. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LockState } from '../../../src/bridge/shapes/lock-state.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { engineFolder } from '../../../src/host/data-folder.ts';
import { PLAIN_KEY_FILE } from '../../../src/host/keys/plain-key.ts';
import type { Session } from '../../../src/host/session.ts';
import { addMessages } from '../../support/counting-migration.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { testSession } from '../../support/session.ts';

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url);

/** Worker entries of a later version, with one more migration. */
const workers = {
  engine: new URL('../../support/migrating-worker.ts', import.meta.url),
  sealing: source('engine/sealing/worker.ts'),
  files: source('engine/files/worker.ts'),
  embedded: source('embedded/worker.ts'),
  store: source('relay/store/sqlite/worker.ts'),
};

async function earlierData(folder: string, rows: number): Promise<void> {
  const session = testSession(folder);
  await session.start();
  await session.close();
  const db = openCache(engineFolder(folder), readFileSync(join(folder, PLAIN_KEY_FILE)));
  addMessages(db, rows);
  db.close();
}

function statesOf(session: Session): LockState[] {
  const states: LockState[] = [];
  session.onEvent((name, payload) => {
    if (name === 'lock.changed') states.push(payload as LockState);
  });
  return states;
}

test('large data is updated to the format of a later version, with progress, before it is open', async () => {
  using folder = temporaryFolder();
  await earlierData(folder.path, 20_000);
  const session = testSession(folder.path, { workers });
  const states = statesOf(session);
  await session.start();
  const updates = states.filter(({ update }) => update !== null);
  expect(updates.length).toBeGreaterThanOrEqual(10);
  expect(new Set(updates.map(({ phase }) => phase))).toEqual(new Set(['opening']));
  expect(updates.at(-1)?.update).toMatchObject({ done: 40_000, total: 40_000 });
  expect(states.at(-1)).toMatchObject({ phase: 'open', update: null });
  expect(await session.call('app.state', {})).toMatchObject({ ok: true });
  await session.close();
});

test('quitting ends an update, which continues at the next start', async () => {
  using folder = temporaryFolder();
  await earlierData(folder.path, 20_000);
  const first = testSession(folder.path, { workers });
  const states = statesOf(first);
  const started = first.start();
  const closed = Promise.withResolvers<void>();
  first.onEvent(() => {
    if ((first.state.update?.done ?? 0) > 0) closed.resolve(first.close());
  });
  await expect(started).rejects.toMatchObject({ code: 'engine_stopped' });
  await closed.promise;
  const reported = states.flatMap(({ update }) => (update ? [update] : []));
  expect(reported.length).toBe(1);
  const second = testSession(folder.path, { workers });
  const later = statesOf(second);
  await second.start();
  const next = later.find(({ update }) => update !== null)?.update;
  expect(next?.done).toBe(2 * (reported[0]?.done ?? 0));
  expect(second.isOpen).toBe(true);
  await second.close();
});

test('quitting during the start ends it before more than one slice', async () => {
  using folder = temporaryFolder();
  await earlierData(folder.path, 20_000);
  for (const turns of [0, 1, 2]) {
    const session = testSession(folder.path, { workers });
    const states = statesOf(session);
    const started = session.start();
    started.catch(() => undefined);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await session.close();
    await expect(started).rejects.toMatchObject({ code: 'engine_stopped' });
    expect(states.filter(({ update }) => update !== null).length, `${turns} turns`).toBeLessThan(2);
  }
  const last = testSession(folder.path, { workers });
  await last.start();
  expect(last.isOpen).toBe(true);
  await last.close();
});
