/**
 * A second computer joins by its own code, entered at the first one. It never gets the wallet.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { formatLinkCode } from '../../../src/protocol/linking/code.ts';
import { LINK_LIFE } from '../../../src/protocol/linking/offer.ts';
import {
  allMessages,
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  setUpWithPhrase,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { TestRelay } from '../../support/relay.ts';

let resources: AsyncDisposableStack;
let relay: TestRelay;
let laptop: TestEngine;
let desktop: TestEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  laptop = await newEngine();
  desktop = await newEngine();
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<TestEngine> {
  return resources.use(await new LocalEngine(relay.url).start());
}

/** Errors of a stopped relay: a reused connection may be closed, and a new one is refused. */
const AWAY = expect.stringMatching(/^relay_(?:silent|hung_up)$/);
const embedded = { kind: 'embedded' as const };
const start = (engine: TestEngine) => callEngine(engine, 'setup.startLink', { relay: embedded });
const give = (engine: TestEngine, code: string, secret?: string) =>
  callEngine(engine, 'devices.link', {
    code,
    withHistory: false,
    passphrase: null,
    ...(secret !== undefined && { secret }),
  });
const agree = (engine: TestEngine, address: string) =>
  callEngine(engine, 'setup.finish', { relay: embedded, identity: { kind: 'link', address } });

test('the other computer becomes a device of the same identity; both show messages of either', async () => {
  await setUp(laptop, 'ann');
  const ben = await newEngine();
  await setUp(ben, 'ben');
  const chat = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: chat.id, text: 'before the link' });
  const [first] = await eventually(
    () => allMessages(laptop),
    ({ length }) => length === 1,
  );

  const before = Date.now();
  const { code, uri, expiresAt } = await start(desktop);
  expect(uri).toBe(`waxwing:link/${code}`);
  expect(expiresAt).toBeGreaterThanOrEqual(before + LINK_LIFE);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + LINK_LIFE);
  expect(await callEngine(desktop, 'setup.findOffer', {})).toEqual({ offer: null });
  const typed = code.toLowerCase().replaceAll('-', ' ');
  const waiting = await callEngine(laptop, 'devices.findWaiting', { code: typed });
  expect(waiting.name).toMatch(/^Waxwing \(/);
  const devices = await give(laptop, typed);
  expect(devices).toHaveLength(2);
  expect(devices).toContainEqual(expect.objectContaining({ id: waiting.id, sealKeySince: null }));
  const { address } = (await callEngine(laptop, 'app.state', {})).me ?? {};
  expect(await callEngine(desktop, 'setup.findOffer', {})).toEqual({ offer: { address, handle: 'ann' } });
  // Until its person agrees, it has no account.
  expect((await callEngine(desktop, 'app.state', {})).phase).toBe('new');
  const me = await agree(desktop, address ?? '');
  expect(me).toMatchObject({ handle: 'ann', deviceId: waiting.id, keepsPhrase: false, endsAt: null });
  for (const engine of [laptop, desktop]) {
    const both = await callEngine(engine, 'devices.list', {});
    expect(both.map(({ type, keepsPhrase }) => [type, keepsPhrase])).toEqual([
      ['app', engine === laptop],
      ['app', null],
    ]);
    expect(both.every(({ sealKeySince }) => sealKeySince !== null)).toBe(true);
  }
  expect(await allMessages(desktop)).toEqual([]);

  await callEngine(laptop, 'messages.send', {
    conversationId: first?.conversationId ?? '',
    text: 'from the laptop',
  });
  const onDesktop = await eventually(
    () => allMessages(desktop),
    ({ length }) => length === 1,
  );
  expect(onDesktop[0]).toMatchObject({ text: 'from the laptop', trust: 'self', state: 'sent' });
  // The desktop knows Ben only by the copy.
  const [opened] = await callEngine(desktop, 'conversations.list', {});
  expect(opened).toMatchObject({ state: 'accepted', peer: { handle: 'ben', displayName: 'ben' } });
  await callEngine(desktop, 'messages.send', {
    conversationId: onDesktop[0]?.conversationId ?? '',
    text: 'from the desktop',
  });
  await eventually(
    () => allMessages(laptop),
    (messages) => messages.some(({ text, trust }) => text === 'from the desktop' && trust === 'self'),
  );
  await eventually(
    () => callEngine(ben, 'conversations.get', { id: chat.id }),
    (conversation) => conversation.kind === 'direct' && conversation.devicesChange !== null,
  );
  // It continues after a restart, still without the wallet.
  await desktop.close();
  await desktop.start();
  await eventually(
    () => callEngine(desktop, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  expect((await callEngine(desktop, 'app.state', {})).me).toMatchObject({ keepsPhrase: false });
});

test('a mistyped code is reported before the relay is called', async () => {
  await setUp(laptop, 'ann');
  const { code } = await start(desktop);
  const mistyped = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
  const problemOf = async (text: string) =>
    (await callEngine(laptop, 'devices.checkCode', { code: text })).problem;
  expect(await problemOf(code)).toBeNull();
  expect(await problemOf(mistyped)).toMatchObject({ code: 'code_mistyped' });
  expect(await problemOf(code.slice(0, 9))).toMatchObject({ code: 'code_length', parameters: { given: 8 } });
  expect(await problemOf(`U${code.slice(1)}`)).toMatchObject({
    code: 'code_stranger',
    parameters: { character: 'U' },
  });
  await relay.stop();
  await expect(give(laptop, mistyped)).rejects.toMatchObject({ code: 'code_mistyped' });
  await expect(give(laptop, code)).rejects.toMatchObject({ code: AWAY });
});

test('an expired code, or one that no computer shows, admits no one', async () => {
  await setUp(laptop, 'ann');
  const { code } = await start(desktop);
  relay.ahead += LINK_LIFE;
  await expect(give(laptop, code)).rejects.toMatchObject({ code: 'link_gone' });
  await expect(give(laptop, formatLinkCode(randomBytes(16)))).rejects.toMatchObject({ code: 'link_gone' });
  expect(await callEngine(laptop, 'devices.list', {})).toHaveLength(1);
});

test('a new code of the same computer replaces the old one', async () => {
  await setUp(laptop, 'ann');
  const { code } = await start(desktop);
  const { code: next } = await start(desktop);
  expect(next).not.toBe(code);
  await give(laptop, code);
  expect(await callEngine(desktop, 'setup.findOffer', {})).toEqual({ offer: null });
});

test('an interrupted link finishes with the same code, and lists the computer once', async () => {
  const proxy = resources.use(await new CuttingProxy().start());
  const behind = resources.use(await new TestRelay({ publicUrl: proxy.url }).start());
  proxy.target = behind.url;
  const old = resources.use(await new LocalEngine(proxy.url).start());
  const fresh = resources.use(await new LocalEngine(proxy.url).start());
  await setUp(old, 'ann');
  const { code } = await start(fresh);
  proxy.cuts = ({ method, path }) => method === 'PUT' && path.endsWith('/offer');
  await expect(give(old, code)).rejects.toMatchObject({ code: expect.stringMatching(/^relay_/) });
  expect(await callEngine(old, 'devices.list', {})).toHaveLength(2);
  proxy.cuts = () => false;
  await give(old, code);
  // Repeated, also after a newer list: the first offer still leads to the newest list.
  await give(old, code);
  await callEngine(old, 'developer.unlock', {});
  expect(await give(old, code)).toHaveLength(2);

  const { offer } = await callEngine(fresh, 'setup.findOffer', {});
  proxy.cuts = ({ path }) => path.endsWith('/seal-key');
  await expect(agree(fresh, offer?.address ?? '')).rejects.toMatchObject({
    code: expect.stringMatching(/^relay_/),
  });
  proxy.cuts = () => false;
  expect((await agree(fresh, offer?.address ?? '')).handle).toBe('ann');
});

test('a computer closed while joining shows the same code again', async () => {
  await setUp(laptop, 'ann');
  const { code } = await start(desktop);
  await give(laptop, code);
  const { offer } = await callEngine(desktop, 'setup.findOffer', {});
  await relay.stop();
  await expect(agree(desktop, offer?.address ?? '')).rejects.toMatchObject({ code: AWAY });
  await desktop.close();
  await relay.start();
  await desktop.start();
  expect((await start(desktop)).code).toBe(code);
  const again = await callEngine(desktop, 'setup.findOffer', {});
  expect((await agree(desktop, again.offer?.address ?? '')).handle).toBe('ann');
  expect(await callEngine(laptop, 'devices.list', {})).toHaveLength(2);
});

test('nothing is joined without a question to the person', async () => {
  await setUp(laptop, 'ann');
  const mallory = await newEngine();
  const hers = await setUp(mallory, 'mallory');
  const { code } = await start(desktop);
  await expect(agree(desktop, hers.address)).rejects.toMatchObject({ code: 'link_gone' });
  await give(laptop, code);
  await callEngine(desktop, 'setup.findOffer', {});
  await expect(agree(desktop, hers.address)).rejects.toMatchObject({ code: 'link_gone' });
  expect((await callEngine(desktop, 'app.state', {})).phase).toBe('new');
});

test('a stranger with the code can only offer an account of their own; nothing is signed for that computer here', async () => {
  await setUp(laptop, 'ann');
  const mallory = await newEngine();
  const hers = await setUp(mallory, 'mallory');
  const { code } = await start(desktop);
  await give(mallory, code);
  await expect(give(laptop, code)).rejects.toMatchObject({ code: 'link_taken' });
  expect(await callEngine(laptop, 'devices.list', {})).toHaveLength(1);
  // Its person must confirm, and sees the account's owner.
  const { offer } = await callEngine(desktop, 'setup.findOffer', {});
  expect(offer).toEqual({ address: hers.address, handle: 'mallory' });
  await give(laptop, (await start(desktop)).code);
  expect((await callEngine(desktop, 'setup.findOffer', {})).offer?.handle).toBe('ann');
});

test('the relay on this computer allows no other computers', async () => {
  desktop.relays.fixed = null;
  desktop.relays.embedded = relay.url;
  await desktop.close();
  await desktop.start();
  await expect(start(desktop)).rejects.toMatchObject({ code: 'link_relay_needed' });
});

test('without the wallet a computer signs no list and does all else', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  await linkEngines(laptop, desktop);
  const noWallet = { code: 'wallet_not_kept' };
  const [, other] = await callEngine(desktop, 'devices.list', {});
  await expect(callEngine(desktop, 'devices.revoke', { id: other?.id ?? '' })).rejects.toMatchObject(
    noWallet,
  );
  await expect(callEngine(desktop, 'devices.renew', {})).rejects.toMatchObject(noWallet);
  await expect(callEngine(desktop, 'developer.unlock', {})).rejects.toMatchObject(noWallet);
  const third = await newEngine();
  const { code } = await start(third);
  await expect(give(desktop, code)).rejects.toMatchObject(noWallet);
  const { id } = await callEngine(desktop, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  // A bot has no wallet: its owner's device signs for it.
  await callEngine(desktop, 'groups.createToken', { conversationId: id, name: 'bot', alone: true });
  expect(await callEngine(laptop, 'devices.list', {})).toHaveLength(2);

  // With the phrase, typed once, it can do these too, and stores no part of it.
  const strange = (await callEngine(third, 'setup.newPhrase', {})).words.join(' ');
  await expect(give(desktop, code, strange)).rejects.toMatchObject({ code: 'identity_of_another' });
  expect(await give(desktop, code, phrase)).toHaveLength(3);
  expect(await callEngine(desktop, 'devices.revoke', { id: other?.id ?? '', secret: phrase })).toHaveLength(
    2,
  );
  expect(await callEngine(desktop, 'devices.renew', { secret: phrase })).toHaveLength(2);
  expect((await callEngine(desktop, 'app.state', {})).me).toMatchObject({ keepsPhrase: false });
  await expect(desktop.handle.recoverySecret()).rejects.toMatchObject({ code: 'wallet_not_kept' });
  // The laptop is removed. Its wallet could still sign a list, so it reports only its removal.
  await eventually(
    () => callEngine(laptop, 'connection.get', {}),
    ({ problem }) => problem?.code === 'device_removed',
  );
});

test('removing the recovery phrase needs it, and existing signatures stay valid', async () => {
  const { phrase, me } = await setUpWithPhrase(laptop, 'ann');
  const { words } = await callEngine(desktop, 'setup.newPhrase', {});
  const forget = (secret: string) => callEngine(laptop, 'devices.forgetSecret', { passphrase: null, secret });
  await expect(forget(words.join(' '))).rejects.toMatchObject({ code: 'secret_of_other' });
  await expect(forget('abandon')).rejects.toMatchObject({ code: 'secret_one_word' });
  expect(await laptop.handle.recoverySecret()).toBe(phrase);
  expect(await forget(phrase)).toMatchObject([{ isThis: true, keepsPhrase: false }]);
  await expect(laptop.handle.recoverySecret()).rejects.toMatchObject({ code: 'wallet_not_kept' });
  await eventually(
    () => callEngine(laptop, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  const ben = await newEngine();
  await setUp(ben, 'ben');
  const chat = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: chat.id, text: 'still there?' });
  await eventually(
    () => allMessages(laptop),
    ({ length }) => length === 1,
  );
  expect((await linkEngines(laptop, desktop, { secret: phrase })).address).toBe(me.address);
});

test('a computer without the phrase unlocks and locks API access with the typed one', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  const { words } = await callEngine(desktop, 'setup.newPhrase', {});
  await linkEngines(laptop, desktop, { secret: phrase });
  const unlocked = async () => (await callEngine(desktop, 'developer.get', {})).unlocked;
  await expect(callEngine(desktop, 'developer.unlock', {})).rejects.toMatchObject({
    code: 'wallet_not_kept',
  });
  const ofOther = callEngine(desktop, 'developer.unlock', { secret: words.join(' ') });
  await expect(ofOther).rejects.toMatchObject({ code: 'secret_of_other' });
  expect(await unlocked()).toBe(false);
  expect((await callEngine(desktop, 'developer.unlock', { secret: phrase })).unlocked).toBe(true);
  const lockOfOther = callEngine(desktop, 'developer.lock', { secret: words.join(' ') });
  await expect(lockOfOther).rejects.toMatchObject({ code: 'secret_of_other' });
  expect(await unlocked()).toBe(true);
  expect((await callEngine(desktop, 'developer.lock', { secret: phrase })).unlocked).toBe(false);
});

test('a removed linked computer reports it, and can neither read nor write', async () => {
  await setUp(laptop, 'ann');
  await linkEngines(laptop, desktop);
  const [, other] = await callEngine(laptop, 'devices.list', {});
  expect(await callEngine(laptop, 'devices.revoke', { id: other?.id ?? '' })).toHaveLength(1);
  await eventually(
    () => callEngine(desktop, 'connection.get', {}),
    ({ state, problem }) => state !== 'online' && problem?.code === 'device_refused',
  );
});

test('removing a computer ends the programs that were added on it', async () => {
  await setUp(laptop, 'ann');
  await linkEngines(laptop, desktop);
  await callEngine(laptop, 'developer.unlock', {});
  const wanted = { entitlements: ['directory:read' as const], days: null };
  const here = await callEngine(laptop, 'developer.createKey', { ...wanted, name: 'here' });
  const there = await callEngine(desktop, 'developer.createKey', { ...wanted, name: 'there' });
  for (const token of [here.secret, there.secret]) await relay.call('getMe', { token });
  const [, other] = await callEngine(laptop, 'devices.list', {});
  await callEngine(laptop, 'devices.revoke', { id: other?.id ?? '' });
  await relay.call('getMe', { token: here.secret });
  await relay.refuse('unauthorized', 'getMe', { token: there.secret });
});

test('recovery by phrase keeps the chosen devices', async () => {
  const { phrase } = await setUpWithPhrase(laptop, 'ann');
  await linkEngines(laptop, desktop);
  const third = await newEngine();
  const relayChoice = { relay: embedded, secret: phrase };
  const found = await callEngine(third, 'setup.otherDevices', relayChoice);
  expect(found).toHaveLength(2);
  const [own] = await callEngine(desktop, 'devices.list', {});
  const without = found.map(({ id }) => id).filter((id) => id !== own?.id);
  await callEngine(third, 'setup.finish', {
    relay: embedded,
    identity: { kind: 'import', secret: phrase, without },
  });
  const left = await callEngine(third, 'devices.list', {});
  expect(left.map(({ id, isThis }) => [id === own?.id, isThis])).toEqual([
    [false, true],
    [true, false],
  ]);
});
