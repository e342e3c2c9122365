import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/relay/store/records.ts';
import { DATABASE_REPLACED } from '../../../src/relay/store/sqlite/open-files.ts';
import { openSqliteStore } from '../../../src/relay/store/sqlite/store.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { expectProblem, TestRelay } from '../../support/relay.ts';
import { newMember, openStore, StoreMember } from '../../support/relay-store.ts';

const DAY = 24 * 3_600_000;

test('an expired envelope is deleted, and its id may be used again', async () => {
  await using relay = await new TestRelay().start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const { recipientDeviceKey: _, ...old } = from.seal(to, to.device, 'old');
  await relay.call('sendEnvelopes', { token: from.token, body: old });
  await relay.stop();
  relay.ahead = 29 * DAY;
  await relay.start();
  await Promise.all([from.login(), to.login()]);
  const { recipientDeviceKey: __, ...newer } = from.seal(to, to.device, 'newer');
  await relay.call('sendEnvelopes', { token: from.token, body: newer });
  expect(await to.inbox()).toHaveLength(2);
  expect((await relay.call('sendEnvelopes', { token: from.token, body: old })).status).toBe(200);

  await relay.stop();
  relay.ahead = 31 * DAY;
  await relay.start();
  await Promise.all([from.login(), to.login()]);
  await expect.poll(async () => (await to.inbox()).map((envelope) => to.open(envelope))).toEqual(['newer']);
  expect((await relay.call('sendEnvelopes', { token: from.token, body: old })).status).toBe(201);
});

/** A relay whose files are limited to that many KiB: the disk refuses the rest. */
async function startConfined(folder: string, port: string, kibibytes: number): Promise<ChildProcess> {
  const entry = new URL('../../support/relay-process.ts', import.meta.url).pathname;
  const script = `ulimit -f ${kibibytes}; exec "$@"`;
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, entry, folder, port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  return child;
}

test('a failing disk stops all 201, reads continue, and no accepted envelope is lost', async () => {
  await using relay = await new TestRelay().start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const port = new URL(relay.url).port;
  await relay.stop();
  const child = await startConfined(relay.folder.path, port, 1_000);
  const accepted: string[] = [];
  const send = async (text: string) => {
    const body = from.seal(to, to.device, text);
    return relay.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
  };
  let response = await send('x'.repeat(2000));
  while (response.status === 201 && accepted.length < 1_000) {
    accepted.push(((await response.json()) as { id: string }).id);
    response = await send('x'.repeat(2000));
  }
  const { headers } = await expectProblem(response, 'unavailable');
  expect(headers.get('retry-after')).toBe('1');
  await expectProblem(await send('and again'), 'unavailable');
  await expectProblem(await relay.fetch('/readyz'), 'unavailable');
  expect(await to.inbox()).not.toEqual([]);
  child.kill();
  await once(child, 'exit');

  await relay.start();
  const { body } = await relay.call('getInbox', {
    token: to.token,
    query: { device: to.device.id, limit: 500 },
  });
  const found = new Set(body.envelopes.map(({ id }) => id));
  expect(accepted.length).toBeGreaterThan(10);
  expect(accepted.filter((id) => !found.has(id))).toEqual([]);
});

test('simultaneous writes share a commit', async () => {
  using folder = temporaryFolder();
  const store = await openSqliteStore({
    dataDirectory: folder.path,
    queueBytes: 1e9,
    onBroken: (reason) => expect.unreachable(reason),
  });
  const before = (await store.measure()).commits;
  const address = `0x${'11'.repeat(20)}`;
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      store.saveChallenge({ nonce: `nonce${index}`, address, issuedAt: 1, expiresAt: 2 }, null, 1),
    ),
  );
  expect((await store.measure()).commits - before).toBe(1);
  expect(await store.consumeChallenge('nonce99')).toMatchObject({ address });
  await store.close();
});

test('a write that fails undoes only itself', async () => {
  await using opened = await openStore('file');
  const { store } = opened;
  const [ann, ben] = [await newMember(store, 'ann'), await newMember(store, 'ben')];
  // No time at all: the database refuses the row.
  const failing = { now: Number.NaN };
  await expect(ann.send(ben, ['alone'], failing)).rejects.toThrow(/^acceptEnvelopes: SQLITE_CONSTRAINT/);
  const before = (await store.measure()).commits;
  const results = await Promise.allSettled([
    ann.send(ben, ['a', 'b']),
    ann.send(ben, ['c', 'd'], failing),
    ann.send(ben, ['e']),
  ]);
  expect((await store.measure()).commits - before).toBe(1);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : null))).toMatchObject([
    [{ status: 'accepted' }, { status: 'accepted' }],
    null,
    [{ status: 'accepted' }],
  ]);
  expect(await ben.inbox()).toEqual(['a', 'b', 'e']);
  const sentLater = await ann.send(ben, ['alone', 'c', 'a']);
  expect(sentLater.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'duplicate']);
});

test('damage that a read finds ends the writing', async () => {
  using folder = temporaryFolder();
  const options = { dataDirectory: folder.path, queueBytes: 1e9 };
  const open = (onBroken: (reason: string) => void) => openSqliteStore({ ...options, onBroken });
  await (await open((reason) => expect.unreachable(reason))).close();
  const reasons: string[] = [];
  const store = await open((reason) => reasons.push(reason));
  const path = join(folder.path, 'relay.db');
  const bytes = readFileSync(path);
  // All pages but the first, which has the schema's root.
  bytes.fill(0xa5, 4096);
  writeFileSync(path, bytes, { flag: 'r+' });
  await expect(store.findCredential(new Uint8Array(32), 1)).rejects.toThrow(StoreUnavailable);
  await expect(store.checkHealth()).rejects.toThrow(/^SQLITE_CORRUPT/);
  expect(reasons).toEqual([expect.stringMatching(/^SQLITE_CORRUPT/)]);
  await store.close().catch(() => undefined);
});

describe.skipIf(process.platform === 'win32')('a database that, under a running relay,', () => {
  test.each<[string, (path: string) => void]>([
    [
      'is removed',
      (path) => {
        for (const end of ['', '-wal', '-shm']) rmSync(path + end);
      },
    ],
    ['loses its log', (path) => rmSync(`${path}-wal`)],
    [
      'is replaced by a backup',
      (path) => {
        copyFileSync(path, `${path}.backup`);
        renameSync(`${path}.backup`, path);
      },
    ],
  ])('%s ends the writing, and no call is confirmed', async (_name, change) => {
    using folder = temporaryFolder();
    const reasons: string[] = [];
    const onBroken = (reason: string) => reasons.push(reason);
    const store = await openSqliteStore({ dataDirectory: folder.path, queueBytes: 1e9, onBroken });
    await newMember(store);
    change(join(folder.path, 'relay.db'));
    await expect(newMember(store)).rejects.toThrow(StoreUnavailable);
    expect(reasons).toEqual([DATABASE_REPLACED]);
    await store.close();
  });

  test('is replaced by a backup has its state at the next start, without the log of the former file', async () => {
    using folder = temporaryFolder();
    const reasons: string[] = [];
    const onBroken = (reason: string) => reasons.push(reason);
    const open = () => openSqliteStore({ dataDirectory: folder.path, queueBytes: 1e9, onBroken });
    const path = join(folder.path, 'relay.db');
    const store = await open();
    const [ann, ben] = [await newMember(store), await newMember(store)];
    await ann.send(ben, ['in the backup']);
    await store.backUp(`${path}.backup`, Date.now());
    await ann.send(ben, ['later']);
    renameSync(`${path}.backup`, path);
    await expect(ann.send(ben, ['refused'])).rejects.toThrow(StoreUnavailable);
    expect(reasons).toEqual([DATABASE_REPLACED]);
    await store.close();
    const restored = await open();
    const at = ({ name, account }: StoreMember) =>
      Object.assign(new StoreMember(restored, name), { account });
    await at(ann).send(at(ben), ['after the restore']);
    expect(await at(ben).inbox()).toEqual(['in the backup', 'after the restore']);
    await restored.close();
  });
});
