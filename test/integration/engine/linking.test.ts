/**
 * A second computer joins by the one-time code of the first.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { deriveLink, formatLinkCode, LINK_LIFE, parseLinkCode } from '../../../src/protocol/link.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson } from '../../support/person.ts';
import { CuttingProxy, type Exchange } from '../../support/proxy.ts';
import { TestRelay } from '../../support/relay.ts';

let resources: AsyncDisposableStack;
let relay: TestRelay;
let laptop: TestEngine;
let desktop: TestEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  laptop = resources.use(await new LocalEngine(relay.url).start());
  desktop = resources.use(await new LocalEngine(relay.url).start());
});
afterEach(() => resources.disposeAsync());

function link(engine: TestEngine, code: string) {
  const identity = { kind: 'link' as const, code };
  return callEngine(engine, 'setup.finish', { relay: { kind: 'embedded' }, identity });
}

test('the other computer becomes a device of the same identity; both show what either writes', async () => {
  await setUp(laptop, 'ann');
  const ben = resources.use(await new LocalEngine(relay.url).start());
  await setUp(ben, 'ben');
  const chat = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: chat.id, text: 'before the link' });
  const [first] = await eventually(
    () => allMessages(laptop),
    ({ length }) => length === 1,
  );

  const { code, uri, expiresAt } = await callEngine(laptop, 'devices.link', { passphrase: null });
  expect(uri).toBe(`waxwing:link/${code}`);
  expect(expiresAt - Date.now()).toBeGreaterThan(LINK_LIFE - 10_000);
  const me = await link(desktop, code.toLowerCase().replaceAll('-', ' '));
  expect(me.handle).toBe('ann');
  for (const engine of [laptop, desktop]) {
    const devices = await callEngine(engine, 'devices.list', {});
    expect(devices.map(({ type }) => type)).toEqual(['app', 'app']);
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
  // Nobody has told the desktop of Ben but the copy itself.
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

  expect(await callEngine(laptop, 'devices.cancelLink', {})).toEqual({ cancelled: false });
  const third = resources.use(await new LocalEngine(relay.url).start());
  await expect(link(third, code)).rejects.toMatchObject({ code: 'link_gone' });
});

test('a code that is mistyped is told as such before the relay is asked', async () => {
  await setUp(laptop, 'ann');
  const { code } = await callEngine(laptop, 'devices.link', { passphrase: null });
  const mistyped = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
  const problemOf = async (text: string) =>
    (await callEngine(desktop, 'setup.checkLinkCode', { code: text })).problem;
  expect(await problemOf(code)).toBeNull();
  expect(await problemOf(mistyped)).toMatchObject({ code: 'code_mistyped' });
  expect(await problemOf(code.slice(0, 9))).toMatchObject({ code: 'code_length', parameters: { given: 8 } });
  expect(await problemOf(`U${code.slice(1)}`)).toMatchObject({
    code: 'code_stranger',
    parameters: { character: 'U' },
  });
  await relay.stop();
  await expect(link(desktop, mistyped)).rejects.toMatchObject({ code: 'code_mistyped' });
  await expect(link(desktop, code)).rejects.toMatchObject({ code: 'relay_silent' });
  await relay.start();
  expect((await link(desktop, code)).handle).toBe('ann');
});

test('a code works neither after ten minutes, nor cancelled, nor when a newer one was made', async () => {
  await setUp(laptop, 'ann');
  const { code: replaced } = await callEngine(laptop, 'devices.link', { passphrase: null });
  const { code: cancelled } = await callEngine(laptop, 'devices.link', { passphrase: null });
  await expect(link(desktop, replaced)).rejects.toMatchObject({ code: 'link_gone' });
  expect(await callEngine(laptop, 'devices.cancelLink', {})).toEqual({ cancelled: true });
  await expect(link(desktop, cancelled)).rejects.toMatchObject({ code: 'link_gone' });
  const { code: expired } = await callEngine(laptop, 'devices.link', { passphrase: null });
  relay.ahead += LINK_LIFE;
  await expect(link(desktop, expired)).rejects.toMatchObject({
    code: 'link_gone',
  });
});

test('what fails after the code was taken can be tried again, until the app is closed', async () => {
  const proxy = resources.use(await new CuttingProxy().start());
  const behind = resources.use(await new TestRelay({ publicUrl: proxy.url }).start());
  proxy.target = behind.url;
  const old = resources.use(await new LocalEngine(proxy.url).start());
  const fresh = resources.use(await new LocalEngine(proxy.url).start());
  await setUp(old, 'ann');
  const offline = ({ path }: Exchange) => path.includes('/auth/');
  const keptHere = {
    code: 'link_interrupted',
  };

  const { code } = await callEngine(old, 'devices.link', { passphrase: null });
  proxy.cuts = offline;
  await expect(link(fresh, code)).rejects.toMatchObject(keptHere);
  await expect(link(fresh, code)).rejects.toMatchObject(keptHere);
  await fresh.close();
  await fresh.start();
  await expect(link(fresh, code)).rejects.toMatchObject({ code: 'link_gone' });

  const { code: another } = await callEngine(old, 'devices.link', { passphrase: null });
  await expect(link(fresh, another)).rejects.toMatchObject(keptHere);
  proxy.cuts = () => false;
  expect((await link(fresh, another)).handle).toBe('ann');
});

test('a code for a relay by another name says which relay to choose, and is not lost by it', async () => {
  await setUp(laptop, 'ann');
  const chooser = resources.use(new LocalEngine(relay.url));
  chooser.relays.fixed = null;
  await chooser.start();
  const { code } = await callEngine(laptop, 'devices.link', { passphrase: null });
  const at = (url: string) =>
    callEngine(chooser, 'setup.finish', {
      relay: { kind: 'url', url },
      identity: { kind: 'link', code },
    });
  await expect(at(relay.url.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject({
    code: 'link_at_other_relay',
    parameters: { relay: relay.url },
  });
  expect((await at(relay.url)).handle).toBe('ann');
});

test('the relay on this computer has no code of another one', async () => {
  desktop.relays.fixed = null;
  desktop.relays.embedded = relay.url;
  await desktop.close();
  await desktop.start();
  const code = formatLinkCode(randomBytes(16));
  await expect(link(desktop, code)).rejects.toMatchObject({
    code: 'link_relay_needed',
  });
});

test('a link that was not sealed with the code is refused, and nothing is set up', async () => {
  await setUp(laptop, 'ann');
  const { code } = await callEngine(laptop, 'devices.link', { passphrase: null });
  const params = { id: deriveLink(parseLinkCode(code)).id };
  const { body } = await relay.call('takeLink', { params });
  const mallory = await newPerson(relay);
  const forged = Buffer.from(body.sealed, 'base64url').fill(0, 20, 30).toString('base64url');
  await relay.call('putLink', { token: mallory.token, params, body: { sealed: forged } });
  await expect(link(desktop, code)).rejects.toMatchObject({ code: 'link_unproven' });
  expect((await callEngine(desktop, 'app.state', {})).phase).toBe('new');
});

test('a code of nobody is refused', async () => {
  const code = formatLinkCode(randomBytes(16));
  await expect(link(desktop, code)).rejects.toMatchObject({ code: 'link_gone' });
});
