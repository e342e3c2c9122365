import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { allMessages, callEngine, eventually, setUp, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
let ann: LocalEngine;
let ben: LocalEngine;
beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path });
  ann = await new LocalEngine(relay.url).start();
  ben = await new LocalEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
});
afterAll(async () => {
  await ann[Symbol.asyncDispose]();
  await ben[Symbol.asyncDispose]();
  await relay.close();
  folder[Symbol.dispose]();
});

const everything = ['directory:read', 'envelopes:send', 'inbox:read', 'groups:read', 'groups:send'] as const;

async function unsignedOf(handle: string): Promise<string[]> {
  const { address } = await callEngine(ben, 'people.resolve', { query: `@${handle}` });
  return (await callEngine(ben, 'people.details', { address })).unsigned;
}

test('locked at first: no key can be created, and the wallet allows nothing unsigned', async () => {
  expect(await callEngine(ann, 'developer.get', {})).toEqual({
    unlocked: false,
    docsUrl: `${relay.url}/`,
    keys: [],
  });
  const key = { name: 'early', entitlements: [...everything], days: null };
  await expect(callEngine(ann, 'developer.createKey', key)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await unsignedOf('ann')).toEqual([]);
});

test('unlocked, a key sends in the person’s name, shown as via API; revoked, it is refused', async () => {
  expect((await callEngine(ann, 'developer.unlock', {})).unlocked).toBe(true);
  const created = await callEngine(ann, 'developer.createKey', {
    name: ' nightly build ',
    entitlements: ['directory:read', 'envelopes:send'],
    days: 90,
  });
  expect(created.key).toMatchObject({
    name: 'nightly build',
    prefix: created.secret.slice(0, 12),
    revokedAt: null,
  });
  const script = new RelayClient({ relay: created.relayUrl, secret: created.secret });
  await script.send('@ben', 'from a script');
  const [message] = await eventually(
    () => allMessages(ben),
    ({ length }) => length > 0,
  );
  expect(message).toMatchObject({ text: 'from a script', trust: 'api', author: { handle: 'ann' } });

  const { keys } = await eventually(
    () => callEngine(ann, 'developer.get', {}),
    ({ keys: [key] }) => key?.lastUsedAt !== null,
  );
  expect(JSON.stringify(keys)).not.toContain(created.secret);
  const after = await callEngine(ann, 'developer.revokeKey', { id: created.key.id });
  expect(after.keys[0]?.revokedAt).not.toBeNull();
  await expect(script.send('@ben', 'too late')).rejects.toMatchObject({ status: 401 });
});

test('locked again, keys stop and the wallet withdraws its permission; unlocked, they work again', async () => {
  await callEngine(ann, 'developer.unlock', {});
  const { secret } = await callEngine(ann, 'developer.createKey', {
    name: 'job',
    entitlements: [...everything],
    days: null,
  });
  const script = new RelayClient({ relay: relay.url, secret });
  await script.me();
  expect((await callEngine(ann, 'developer.lock', {})).unlocked).toBe(false);
  await expect(script.me()).rejects.toMatchObject({ status: 401 });
  const keys = await new RelayClient({ relay: relay.url, secret: await keyOf(ben) }).keys('@ann');
  expect(keys.deviceList.unsigned).toEqual([]);
  await callEngine(ann, 'developer.unlock', {});
  await script.me();
});

test('invalid input fails with a reason', async () => {
  const bad = { name: ' ', entitlements: [...everything], days: null };
  await expect(callEngine(ann, 'developer.createKey', bad)).rejects.toMatchObject({ code: 'key_name_empty' });
  const idle = { name: 'x', entitlements: [], days: null };
  await expect(callEngine(ann, 'developer.createKey', idle)).rejects.toMatchObject({ code: 'key_useless' });
  await expect(callEngine(ann, 'developer.revokeKey', { id: 'none' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

async function keyOf(engine: LocalEngine): Promise<string> {
  await callEngine(engine, 'developer.unlock', {});
  const key = { name: 'reader', entitlements: ['directory:read' as const], days: null };
  return (await callEngine(engine, 'developer.createKey', key)).secret;
}
