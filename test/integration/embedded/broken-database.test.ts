/** The relay on this computer, and a database that is removed, replaced or damaged. */
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type EmbeddedRelay, startEmbeddedRelay } from '../../../src/embedded/start.ts';
import { temporaryFolder } from '../../support/engine.ts';

const start = (dataDirectory: string) => startEmbeddedRelay({ dataDirectory });
const databaseIn = (dataDirectory: string) => join(dataDirectory, 'relay', 'relay.db');

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/**
 * Makes a call that the relay has to store, on a connection of its own: the next relay has the same port.
 * @returns its status; null without an answer, because a call of @echo may have ended the relay before
 */
async function write({ url }: EmbeddedRelay): Promise<number | null> {
  const headers = { 'content-type': 'application/json' };
  const call = request(`${url}/api/v1/auth/challenge`, { method: 'POST', headers, agent: false });
  call.end(JSON.stringify({ address: `0x${'1'.repeat(40)}` }));
  const [answer] = (await once(call, 'response').catch(() => [null])) as [IncomingMessage | null];
  answer?.resume();
  return answer?.statusCode ?? null;
}

/** A call ends the relay, and the next start has a database that works. */
async function expectEndAndRestart(relay: EmbeddedRelay, dataDirectory: string): Promise<void> {
  expect([503, null]).toContain(await write(relay));
  expect(await relay.ended).toMatchObject({ code: 'relay_here_stopped' });
  const next = await start(dataDirectory);
  expect(await write(next)).toBe(200);
  await next.close();
  expect(await next.ended).toBeNull();
}

describe.skipIf(process.platform === 'win32')('a database that, under the running relay,', () => {
  test('is removed stops the relay, and the next start begins a new one', async () => {
    using folder = temporaryFolder();
    const relay = await start(folder.path);
    expect(await write(relay)).toBe(200);
    remove(databaseIn(folder.path));
    await expectEndAndRestart(relay, folder.path);
  });

  test('is replaced stops the relay, and the next start uses the new file', async () => {
    using folder = temporaryFolder();
    await (await start(folder.path)).close();
    const path = databaseIn(folder.path);
    copyFileSync(path, `${path}.backup`);
    const relay = await start(folder.path);
    renameSync(`${path}.backup`, path);
    await expectEndAndRestart(relay, folder.path);
  });
});

test('a start with a damaged database reports the file and the remedy', async () => {
  using folder = temporaryFolder();
  await (await start(folder.path)).close();
  const path = databaseIn(folder.path);
  remove(path);
  writeFileSync(path, 'not a database'.repeat(1_000));
  await expect(start(folder.path)).rejects.toMatchObject({
    code: 'relay_here_unusable',
    message: expect.stringMatching(
      /^The relay on this computer cannot start\. .+ is damaged \(file is not a database\)/,
    ),
  });
});
