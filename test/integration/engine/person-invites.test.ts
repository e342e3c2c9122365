/** Invite links to a person, between two engines and a real relay. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatInvite, parseInvite } from '../../../src/protocol/invite.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import {
  allMessages,
  callEngine,
  eventually,
  linkEngines,
  setUp,
  setUpWithPhrase,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

/** An engine that shows the tokens in the bodies of its sent messages. */
class ReadableEngine extends LocalEngine {
  tokens(): (string | null)[] {
    const rows = this.cache
      ?.prepare<[], { token: string | null }>(
        "SELECT body ->> 'token' AS token FROM messages WHERE trust = 'self' ORDER BY id",
      )
      .all();
    return (rows ?? []).map(({ token }) => token);
  }

  /** Addresses of the stored contacts. */
  contacts(): string[] {
    const rows = this.cache?.prepare<[], { address: string }>('SELECT address FROM contacts').all();
    return (rows ?? []).map(({ address }) => address);
  }
}

/** Its clock follows a changed system time. */
class TimedEngine extends LocalEngine {
  protected override get surroundings() {
    return { now: () => Date.now(), random: Math.random };
  }
}

const DAY = 24 * 3_600_000;

let resources: AsyncDisposableStack;
let relay: TestRelay;
let ann: ReadableEngine;
let ben: ReadableEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  ann = await newEngine();
  ben = await newEngine();
});
afterEach(() => resources.disposeAsync());

const newEngine = async (at = relay) => resources.use(await new ReadableEngine(at.url).start());
const make = async (engine: LocalEngine = ann) => (await callEngine(engine, 'invites.create', {})).link;
const linksOf = async (engine: LocalEngine = ann) => (await callEngine(engine, 'invites.list', {})).links;
const accept = (engine: LocalEngine, text: string) => callEngine(engine, 'invites.accept', { text });
const write = (engine: LocalEngine, conversationId: string, text: string) =>
  callEngine(engine, 'messages.send', { conversationId, text });
const chats = (engine: LocalEngine) => callEngine(engine, 'conversations.list', {});
/** The first chats, as soon as there are any. */
const firstChats = (engine: LocalEngine) =>
  eventually(
    () => chats(engine),
    ({ length }) => length > 0,
  );
const sentTo = (engine: LocalEngine) =>
  eventually(
    () => allMessages(engine),
    (messages) =>
      messages.length > 0 && messages.every(({ state }) => state === 'sent' || state === 'received'),
  );

test('a person who follows a link writes without a request, once, and both chats are accepted', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const link = await make();
  expect(parseInvite(link.url)).toEqual(parseInvite(link.app));
  expect(await linksOf()).toEqual([link]);

  const { conversationId } = await accept(ben, link.url);
  expect(await callEngine(ben, 'conversations.get', { id: conversationId })).toMatchObject({
    state: 'accepted',
  });
  await write(ben, conversationId, 'Thanks for the link');
  expect(await firstChats(ann)).toMatchObject([{ state: 'accepted', unread: 1 }]);
  expect(await linksOf()).toEqual([]);
  // Accepted by both: the answer is no request either.
  const [chat] = await chats(ann);
  await write(ann, chat?.id ?? '', 'Welcome');
  await eventually(
    () => allMessages(ben),
    ({ length }) => length === 2,
  );
  expect(await chats(ben)).toMatchObject([{ state: 'accepted' }]);

  const cat = await newEngine();
  await setUp(cat, 'cat');
  await write(cat, (await accept(cat, link.app)).conversationId, 'I have the link too');
  const ofBoth = await eventually(
    () => chats(ann),
    ({ length }) => length === 2,
  );
  expect(ofBoth.map(({ state }) => state).sort()).toEqual(['accepted', 'request']);
});

test('a link is read with the handle of its address at the server, or without it if the server is off', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { url } = await make();
  const read = () => callEngine(ben, 'invites.read', { text: url });
  expect(await read()).toMatchObject({ to: 'person', handle: 'ann' });
  // Nothing is stored of a person before the agreement.
  const known = (query: string) => callEngine(ben, 'people.known', { query });
  expect(await known('ann')).toEqual([]);
  const invite = parseInvite(url);
  expect(ben.contacts()).not.toContain(invite?.to === 'person' ? invite.address : '');
  await accept(ben, url);
  expect(await known('ann')).toMatchObject([{ handle: 'ann' }]);
  expect(await read()).toMatchObject({ to: 'person', handle: 'ann' });
  await relay.stop();
  const cat = formatted('A'.repeat(22), `0x${'9'.repeat(40)}`);
  expect(await callEngine(ben, 'invites.read', { text: cat })).toMatchObject({ to: 'person', handle: null });
});

test('a chat opened by a link is marked as such until its person accepts, also after the first message', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const link = await make();
  await ann.close();
  const { conversationId } = await accept(ben, link.url);
  const chat = () => callEngine(ben, 'conversations.get', { id: conversationId });
  expect(await chat()).toMatchObject({ peerHasAccepted: false, followsInvite: true });
  await write(ben, conversationId, 'Thanks for the link');
  await sentTo(ben);
  expect(await chat()).toMatchObject({ peerHasAccepted: false, followsInvite: true });
});

test('the token is in each message until the relay has accepted one', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { token } = parseInvite((await make()).url) as { token: string };
  const { conversationId } = await accept(ben, formatted(token, await addressOf(ann)));
  await relay.stop();
  for (const text of ['first', 'second']) await write(ben, conversationId, text);
  await relay.start();
  await callEngine(ben, 'connection.retry', {});
  await sentTo(ben);
  await write(ben, conversationId, 'third');
  await sentTo(ben);
  expect(ben.tokens()).toEqual([token, token, null]);
  await eventually(
    () => allMessages(ann),
    ({ length }) => length === 3,
  );
  expect(await chats(ann)).toMatchObject([{ state: 'accepted' }]);
});

test('a message with the token of an earlier link does not remove that of a later one', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const [earlier, later] = [await make(), await make()];
  const { conversationId } = await accept(ben, earlier.url);
  await callEngine(ann, 'invites.cancel', { id: earlier.id });
  await relay.stop();
  await write(ben, conversationId, 'first');
  await accept(ben, later.url);
  await relay.start();
  await callEngine(ben, 'connection.retry', {});
  await sentTo(ben);
  await write(ben, conversationId, 'second');
  await sentTo(ben);
  expect(ben.tokens()).toEqual([earlier.id, later.id]);
  await eventually(
    () => chats(ann),
    ([chat]) => chat?.state === 'accepted',
  );
});

test('a cancelled link, and one that was made up, lead to a request', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const link = await make();
  await callEngine(ann, 'invites.cancel', { id: link.id });
  expect(await linksOf()).toEqual([]);
  await write(ben, (await accept(ben, link.url)).conversationId, 'Hello');
  expect(await firstChats(ann)).toMatchObject([{ state: 'request' }]);
});

test('a clock that is days ahead ends no open link', async () => {
  const timed = resources.use(await new TimedEngine(relay.url).start());
  await setUp(timed, 'ann');
  const link = await make(timed);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * DAY });
  relay.ahead = -8 * DAY;
  try {
    // It is not shown meanwhile. Making another one removes expired ones, but only by a time that the relay has confirmed.
    expect(await linksOf(timed)).toEqual([]);
    await expect(make(timed)).rejects.toMatchObject({ code: 'clocks_differ' });
  } finally {
    vi.useRealTimers();
    relay.ahead = 0;
  }
  expect(await linksOf(timed)).toEqual([link]);
});

test('a request becomes a chat when its person follows a link', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const address = await addressOf(ann);
  const { id } = await callEngine(ben, 'conversations.open', { address });
  await write(ben, id, 'Do you remember me?');
  expect(await firstChats(ann)).toMatchObject([{ state: 'request' }]);
  await accept(ben, (await make()).url);
  await write(ben, id, 'With your link');
  await eventually(
    () => chats(ann),
    ([chat]) => chat?.state === 'accepted',
  );
  // Accepted now, Ann reports her earlier messages as delivered, too.
  await eventually(
    () => allMessages(ben),
    (messages) => messages.length === 2 && messages.every(({ delivery }) => delivery === 'delivered'),
  );
});

test('messages that another device of the follower had sent as a request are reported as delivered', async () => {
  const desktop = await newEngine();
  await setUp(ann, 'ann');
  await setUpWithPhrase(ben, 'ben');
  await linkEngines(ben, desktop);
  const address = await addressOf(ann);
  const { id } = await callEngine(ben, 'conversations.open', { address });
  await write(ben, id, 'From my laptop');
  expect(await firstChats(ann)).toMatchObject([{ state: 'request' }]);
  await write(desktop, (await accept(desktop, (await make()).url)).conversationId, 'From my desktop');
  await eventually(
    () => allMessages(ben),
    (messages) => messages.length === 2 && messages.every(({ delivery }) => delivery === 'delivered'),
  );
});

test('the own link, that of an unknown address and that of another server are refused with the reason', async () => {
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { url } = await make();
  await expect(accept(ann, url)).rejects.toMatchObject({ code: 'yourself' });
  // Before the question.
  await expect(callEngine(ann, 'invites.read', { text: url })).rejects.toMatchObject({ code: 'invite_own' });
  expect(await callEngine(ben, 'invites.read', { text: url })).toMatchObject({ to: 'person' });
  const unknown = formatted('A'.repeat(22), `0x${'9'.repeat(40)}`);
  await expect(accept(ben, unknown)).rejects.toMatchObject({ code: 'address_unknown' });
  const elsewhere = formatted('A'.repeat(22), `0x${'9'.repeat(40)}`, 'https://elsewhere.example');
  await expect(accept(ben, elsewhere)).rejects.toMatchObject({
    data: { code: 'invite_elsewhere', parameters: { server: 'elsewhere.example' } },
  });
  expect(await chats(ben)).toEqual([]);
});

test('links are shared with the other own devices, and spent there too', async () => {
  const desktop = await newEngine();
  await setUpWithPhrase(ann, 'ann');
  const before = await make();
  await linkEngines(ann, desktop);
  await eventually(
    () => linksOf(desktop),
    ({ length }) => length === 1,
  );
  const after = await make(desktop);
  await eventually(
    () => linksOf(),
    ({ length }) => length === 2,
  );
  expect((await linksOf()).map(({ url }) => url).sort()).toEqual([before.url, after.url].sort());
  await setUp(ben, 'ben');
  await write(ben, (await accept(ben, after.url)).conversationId, 'Hello');
  for (const device of [ann, desktop]) {
    expect(await firstChats(device)).toMatchObject([{ state: 'accepted' }]);
    await eventually(
      () => linksOf(device),
      ({ length }) => length === 1,
    );
  }
});

test('a link has a code for an account if the server requires one and its members may make it', async () => {
  for (const memberInvitations of [true, false]) {
    const closed = resources.use(
      await new TestRelay({ admin: true, registration: 'code', memberInvitations }).start(),
    );
    const member = await newEngine(closed);
    const { words, places } = await callEngine(member, 'setup.newPhrase', {});
    const expires = new Date(closed.now() + 3_600_000).toISOString();
    const { code } = await runAdminCommand(closed.folder.path, 'invite', { uses: 1, expires });
    await callEngine(member, 'setup.finish', {
      relay: { kind: 'embedded' },
      identity: { kind: 'new', answers: places.map((place) => words[place - 1] ?? '') },
      invitation: code,
    });
    await callEngine(member, 'profile.save', { handle: 'member', displayName: 'Member' });
    const { url } = await make(member);
    const { invitation } = parseInvite(url);
    expect(invitation !== null).toBe(memberInvitations);
    expect(await linksOf(member)).toMatchObject([{ url }]);
  }
});

const addressOf = async (engine: LocalEngine) =>
  (await callEngine(engine, 'app.state', {})).me?.address.toLowerCase() ?? '';

function formatted(token: string, address: string, at = relay.url): string {
  const place = { relay: new URL(at).origin, relayKey: null, invitation: null };
  return formatInvite({ to: 'person', address, token, ...place }).url;
}
