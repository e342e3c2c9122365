/** The start of an account while the relay on this computer cannot be used. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import { EngineStarter } from '../../../src/host/engine-starter.ts';
import { callEngine, eventually, setUpWithPhrase, temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';

/** A computer whose database of the own relay can be damaged. */
function computerIn(folder: string) {
  const databaseKey = randomBytes(32);
  const path = join(folder, 'embedded', 'relay', 'relay.db');
  return {
    async open() {
      const starter = new EngineStarter({ folder, relay: null });
      const engine = await starter.start({ databaseKey });
      const close = async () => {
        await engine.close();
        await starter.close();
      };
      return { broken: starter.broken, engine, close };
    },
    removeDatabase() {
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    },
    damageDatabase() {
      this.removeDatabase();
      writeFileSync(path, 'not a database'.repeat(1_000));
    },
  };
}

test('an account on another server starts without the relay on this computer', async () => {
  using folder = temporaryFolder();
  await using relay = await new TestRelay().start();
  const computer = computerIn(folder.path);
  const first = await computer.open();
  await setUpWithPhrase(first.engine, 'ann', { kind: 'url', url: relay.url });
  await first.close();
  computer.damageDatabase();
  const next = await computer.open();
  expect(await callEngine(next.engine, 'app.state', {})).toMatchObject({
    phase: 'ready',
    relays: { embedded: false },
  });
  await next.close();
});

test('with an account on it a missing database is made anew, and the account is registered again', async () => {
  using folder = temporaryFolder();
  const computer = computerIn(folder.path);
  const first = await computer.open();
  const { address } = (await setUpWithPhrase(first.engine, 'ann')).me;
  await first.close();
  computer.removeDatabase();
  const next = await computer.open();
  expect(await callEngine(next.engine, 'app.state', {})).toMatchObject({ phase: 'ready', me: { address } });
  await eventually(
    () => callEngine(next.engine, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  await next.close();
});

test.each(['an account on it', 'no account'])(
  'with %s the start names the damaged database',
  async (which) => {
    using folder = temporaryFolder();
    const computer = computerIn(folder.path);
    const first = await computer.open();
    if (which === 'an account on it') await setUpWithPhrase(first.engine, 'ann');
    await first.close();
    computer.damageDatabase();
    await expect(computer.open()).rejects.toMatchObject({
      code: 'relay_here_unusable',
      message: expect.stringContaining('relay.db is damaged'),
    });
  },
);

/** Makes the relay on this computer write to its database. */
async function makeItWrite(folder: string): Promise<void> {
  const port = readFileSync(join(folder, 'embedded', 'port'), 'utf8');
  await fetch(`http://127.0.0.1:${port}/api/v1/auth/challenge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: `0x${'1'.repeat(40)}` }),
    // A call of @echo may have ended it before.
  }).catch(() => undefined);
}

test.skipIf(process.platform === 'win32').each([
  ['another server', true],
  ['it', false],
])(
  'the end of the relay on this computer ends only an app that needs it: an account on %s',
  async (_, isElsewhere) => {
    using folder = temporaryFolder();
    await using relay = await new TestRelay().start();
    const computer = computerIn(folder.path);
    const { broken, engine, close } = await computer.open();
    await setUpWithPhrase(
      engine,
      'ann',
      isElsewhere ? { kind: 'url', url: relay.url } : { kind: 'embedded' },
    );
    const unused = Promise.withResolvers<string>();
    logTo(({ event }) => event === 'embedded.unused' && unused.resolve(event));
    onTestFinished(() => logTo(null));
    computer.damageDatabase();
    await makeItWrite(folder.path);
    const end = await Promise.race([unused.promise, broken]);
    expect(end).toEqual(
      isElsewhere ? 'embedded.unused' : expect.objectContaining({ code: 'relay_here_stopped' }),
    );
    expect(await callEngine(engine, 'app.state', {})).toMatchObject({ phase: 'ready' });
    await close();
  },
);
