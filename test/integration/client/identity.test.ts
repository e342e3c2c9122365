import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Identity, IdentityError, RelayClient } from '../../../src/client/index.ts';
import { generatePhrase, walletFromPhrase } from '../../../src/protocol/wallet.ts';
import { type Bot, newBot, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;
const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock of this process and the relay to a number of days from now. */
function travel(days: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });
}

test('an identity is its file, readable by its owner only, and registers once', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const { identity } = await newBot(relay, { file, handle: 'identity_bot', displayName: 'Bot' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(identity.apiKey).toMatch(/^sk_live_/);
  const before = readFileSync(file, 'utf8');

  const again = Identity.open(file);
  await again.register(relay.url, { handle: 'identity_bot', displayName: 'Bot' });
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(again).toMatchObject({ address: identity.address, deviceId: identity.deviceId, relay: relay.url });
  expect(await new RelayClient({ identity: again }).me()).toMatchObject({
    address: identity.address,
    handle: 'identity_bot',
    displayName: 'Bot',
    developerApi: true,
  });
  expect(readdirSync(folder.path)).toEqual(['bot.json']);
});

test('files that are not identities are distinguished and stay unchanged', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  expect(() => Identity.open(file)).toThrow('there is no such file');
  writeFileSync(file, 'not JSON');
  expect(() => Identity.open(file)).toThrow('it is not JSON');
  writeFileSync(file, '{"version":2}');
  expect(() => Identity.open(file)).toThrow(/this version of Waxwing can read \(version:/);
  expect(() => Identity.create({ file })).toThrow('it already exists');
  expect(readFileSync(file, 'utf8')).toBe('{"version":2}');
  expect(() => Identity.create({ file: join(folder.path, 'no', 'folder.json') })).toThrow(IdentityError);
});

test.skipIf(process.platform !== 'linux')('a full disk leaves no part of a new identity', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'new.json');
  symlinkSync('/dev/full', `${file}.${process.pid}.tmp`);
  expect(() => Identity.create({ file })).toThrow('cannot be written: the disk is full.');
  expect(readdirSync(folder.path)).toEqual([]);
  expect(Identity.create({ file }).address).toMatch(/^0x/);
});

test('missing data is reported before anything is sent', async () => {
  const identity = Identity.create();
  expect(() => new RelayClient({ identity })).toThrow('not registered');
  expect(() => new RelayClient({ relay: '', secret: `sk_live_${'x'.repeat(43)}` })).toThrow(
    'This is not the address of a relay.',
  );
  expect(() => new RelayClient({ relay: relay.url, secret: '' })).toThrow('The secret is empty.');
  expect(() => new RelayClient({ relay: relay.url, secret: 'hello' })).toThrow(
    expect.objectContaining({ code: 'secret_malformed' }),
  );
  expect(
    () => new RelayClient({ relay: 'http://relay.example', secret: `sk_live_${'x'.repeat(43)}` }),
  ).toThrow('needs https');
  await expect(identity.register(relay.url.replace('127.0.0.1', 'localhost'))).rejects.toThrow(
    `its address here is localhost:${relay.running.port}. Use ${relay.url}.`,
  );
  await expect(identity.register('nonsense://')).rejects.toThrow('looks like https');
  const { identity: other } = await newBot(relay);
  const script = new RelayClient({ relay: relay.url, secret: other.apiKey ?? '' });
  await expect(script.messages().next()).rejects.toThrow('needs an identity');
  const mixed = new RelayClient({ relay: relay.url, secret: other.apiKey ?? '', identity });
  await expect(mixed.send(other.address, 'x')).rejects.toThrow('The secret belongs to');
});

test('a taken handle is refused; the identity can try another', async () => {
  await newBot(relay, { handle: 'identity_taken' });
  const identity = Identity.create();
  await expect(identity.register(relay.url, { handle: 'identity_taken' })).rejects.toMatchObject({
    code: 'handle_taken',
  });
  await identity.register(relay.url, { handle: 'identity_free' });
  expect((await new RelayClient({ identity }).me()).handle).toBe('identity_free');
});

test('a device joins an existing address and keeps the permissions of the others', async () => {
  const wallet = walletFromPhrase(generatePhrase());
  const first = await newBot(relay, { wallet, allowUnsigned: ['api'] });
  const second = await newBot(relay, { wallet, allowUnsigned: [] });
  const { deviceList, sealKeys } = await second.client.keys(wallet.address);
  expect(deviceList).toMatchObject({ sequence: 2, unsigned: ['api'] });
  expect(deviceList.devices.map(({ deviceId, type }) => [deviceId, type])).toEqual([
    [first.identity.deviceId, 'api'],
    [second.identity.deviceId, 'api'],
  ]);
  expect(sealKeys).toHaveLength(2);
});

test('without its wallet an identity continues by its device’s signature but certifies nothing', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const { identity } = await newBot(relay, { file, keepWallet: false, allowUnsigned: [] });
  expect(readFileSync(file, 'utf8')).toContain('"walletKey": null');
  const reopened = Identity.open(file);
  await reopened.register(relay.url, { displayName: 'Still here', allowUnsigned: [] });
  expect((await new RelayClient({ identity: reopened }).me()).displayName).toBe('Still here');
  await expect(reopened.register(relay.url, { allowUnsigned: ['api'] })).rejects.toThrow('recovery phrase');
  expect(reopened.address).toBe(identity.address);
});

test('a seal key is replaced daily; the old one opens mail in transit, and is erased when none can arrive', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const bot = await newBot(relay, { file, allowUnsigned: [] });
  const keys = () => JSON.parse(readFileSync(file, 'utf8')).sealKeys.map(keyOf);
  const [first] = keys();

  travel(2);
  const alice = await newBot(relay);
  await alice.client.send(bot.identity.address, 'sealed to the first key');
  expect(await waitingTexts(bot)).toEqual(['sealed to the first key']);
  const [second, kept] = keys();
  expect([second === first, kept]).toEqual([false, first]);
  expect((await alice.client.keys(bot.identity.address)).sealKeys.map(({ key }) => key)).toEqual([second]);

  travel(2 + 19 / 24 / 60);
  expect(await waitingTexts(bot)).toEqual([]);
  expect(keys()).toEqual([second, first]);
  travel(2 + 21 / 24 / 60);
  expect(await waitingTexts(bot)).toEqual([]);
  expect(keys()).toEqual([second]);
});

test('while programs may write without naming a key, the old key is kept a day longer', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const bot = await newBot(relay, { file, allowUnsigned: ['api'] });
  const keys = () => JSON.parse(readFileSync(file, 'utf8')).sealKeys.map(keyOf);
  const [first] = keys();
  travel(1);
  await waitingTexts(bot);
  travel(2);
  await waitingTexts(bot);
  expect(keys()).toContain(first);
  travel(3);
  await waitingTexts(bot);
  expect(keys()).not.toContain(first);
});

test('a revoked key is replaced when the identity registers again', async () => {
  const { identity, client } = await newBot(relay);
  const { credential } = await client.me();
  await identity.account().call('revokeApiKey', { params: { id: credential.id } });
  await identity.register(relay.url);
  expect((await new RelayClient({ identity }).me()).credential.id).not.toBe(credential.id);
});

test('an ending certificate is renewed by the wallet', async () => {
  const bot = await newBot(relay);
  const { deviceList } = await bot.client.keys(bot.identity.address);
  travel(350);
  expect(await waitingTexts(bot)).toEqual([]);
  const renewed = (await bot.client.keys(bot.identity.address)).deviceList;
  expect(renewed.sequence).toBe(deviceList.sequence + 1);
  expect(Date.parse(renewed.devices[0]?.validUntil ?? '')).toBeGreaterThan(Date.now() + 300 * DAY);
});

/** Another device of the same address, whose file does not keep the wallet. */
async function deviceWithoutWallet(bot: Bot, file: string): Promise<Identity> {
  const { wallet } = bot.identity;
  if (!wallet) throw new Error('this bot keeps no wallet');
  await Identity.create({ file, wallet, keepWallet: false }).register(relay.url);
  const identity = Identity.open(file);
  expect(identity.wallet).toBeNull();
  return identity;
}

test('with the wallet all certificates are renewed 60 days early; without it none is', async () => {
  using folder = temporaryFolder();
  const bot = await newBot(relay);
  const without = await deviceWithoutWallet(bot, join(folder.path, 'other.json'));
  const { deviceList } = await bot.client.keys(bot.identity.address);
  const published = async () => (await bot.client.keys(bot.identity.address)).deviceList;
  travel(304);
  await waitingTexts(bot);
  expect((await published()).sequence).toBe(deviceList.sequence);
  travel(306);
  await waitingTexts({ identity: without, client: new RelayClient({ identity: without }) });
  expect((await published()).sequence).toBe(deviceList.sequence);
  await waitingTexts(bot);
  const renewed = await published();
  expect(renewed.sequence).toBe(deviceList.sequence + 1);
  for (const { validUntil } of renewed.devices) {
    expect(Date.parse(validUntil)).toBeGreaterThan(Date.now() + 300 * DAY);
  }
  expect(renewed.devices).toHaveLength(2);
});

test('an expired certificate is not renewed with the others', async () => {
  using folder = temporaryFolder();
  const bot = await newBot(relay);
  const without = await deviceWithoutWallet(bot, join(folder.path, 'other.json'));
  travel(366);
  await waitingTexts(bot);
  const { devices } = (await bot.client.keys(bot.identity.address)).deviceList;
  const ends = new Map(devices.map(({ deviceId, validUntil }) => [deviceId, Date.parse(validUntil)]));
  expect(ends.get(bot.identity.deviceId)).toBeGreaterThan(Date.now());
  expect(ends.get(without.deviceId)).toBeLessThan(Date.now());
});

test('removing a device ends its API key, although the wallet made it', async () => {
  using folder = temporaryFolder();
  const bot = await newBot(relay);
  const other = await deviceWithoutWallet(bot, join(folder.path, 'other.json'));
  const client = new RelayClient({ identity: other });
  expect((await client.me()).credential.type).toBe('api_key');
  await bot.identity.registration(bot.identity.account()).remove(other.deviceId);
  await expect(new RelayClient({ identity: other }).me()).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(other.registration(other.account()).ensure()).rejects.toMatchObject({
    code: 'device_refused',
  });
});

function keyOf({ statement }: { statement: { key: string } }): string {
  return statement.key;
}
