/**
 * Expiry and other jobs that only one of the relays on a database runs at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openDirectory } from '../../src/relay/blobs/directory.ts';
import { Waiters } from '../../src/relay/delivery/waiters.ts';
import { type Expiry, startExpiry } from '../../src/relay/expiry.ts';
import { makeNonce } from '../../src/relay/secrets.ts';
import { steadyClock } from '../../src/relay/steady-clock.ts';
import { openPostgresStore, type PostgresParts } from '../../src/relay/store/postgres/store.ts';
import { temporaryFolder } from '../support/engine.ts';
import { newDatabase } from '../support/relay-database.ts';

const HOLDER = new URL('../support/job-holder.ts', import.meta.url).pathname;
const DAY = 24 * 3_600_000;

/** Another relay, in its own process, which runs the jobs without ending them. */
async function holdJobs(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  return child;
}

/** The expiry job, as it runs in the relay. */
async function expiryOf({ store, wakeups, jobs }: PostgresParts, folder: string): Promise<Expiry> {
  return startExpiry({
    store,
    jobs,
    bytes: await openDirectory(folder),
    waiters: new Waiters(store, 1, wakeups),
    clock: Date.now,
    steady: steadyClock,
    retention: DAY,
    auditRetention: DAY,
    log: pino({ enabled: false }),
  });
}

/** Ends the server's connections on which relays have the lock of the jobs. */
async function cutJobs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'waxwing jobs'",
  );
  await client.end();
}

test('one relay at a time expires rows; after a kill another one does', async () => {
  const url = (await newDatabase()) ?? '';
  using folder = temporaryFolder();
  const parts = await openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined });
  const { store } = parts;
  const holder = await holdJobs(url);
  const [nonce, expiresAt] = [makeNonce(), Date.now() - DAY];
  const address = `0x${'a1'.repeat(20)}`;
  await store.saveChallenge({ nonce, address, issuedAt: 0, expiresAt }, null, 32);

  const expiry = await expiryOf(parts, folder.path);
  expect(await expiry.run()).toBe(false);
  expect(await expiry.run()).toBe(false);
  expect(await store.consumeChallenge(nonce)).not.toBeNull();
  await store.saveChallenge({ nonce, address, issuedAt: 0, expiresAt }, null, 32);

  holder.kill('SIGKILL');
  await expect.poll(() => expiry.run()).toBe(true);
  expect(await store.consumeChallenge(nonce)).toBeNull();
  expiry.stop();
  await store.close();
});

test('one of many relays that begin the jobs at once runs them, and another takes over when it stops', async () => {
  const url = (await newDatabase()) ?? '';
  const relays = await Promise.all(
    [1, 2, 3].map(() => openPostgresStore({ url, queueBytes: 1e9, onWarning: () => undefined })),
  );
  let atIt = 0;
  let most = 0;
  const begun = Promise.withResolvers<AbortSignal>();
  const done = Promise.withResolvers<void>();
  const results: boolean[] = [];
  const runs = relays.map(async ({ jobs }) => {
    const isDone = await jobs.tryRun(async (lost) => {
      most = Math.max(most, ++atIt);
      begun.resolve(lost);
      await done.promise;
      atIt--;
    });
    results.push(isDone);
  });
  const lost = await begun.promise;
  // The two others are refused while the first runs them.
  await expect.poll(() => results).toEqual([false, false]);
  expect([most, lost.aborted]).toEqual([1, false]);

  const aborted = once(lost, 'abort');
  await cutJobs(url);
  await aborted;
  done.resolve();
  await Promise.all(runs);
  await Promise.all(relays.map(({ store }) => store.close()));
});
