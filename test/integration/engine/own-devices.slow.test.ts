/**
 * Settings shared by own devices: two computers of Ann's agree, also after they were offline at the same time.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DirectConversation } from '../../../src/bridge/shapes/conversation.ts';
import {
  type Callable,
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

let resources: AsyncDisposableStack;
let relay: TestRelay;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<TestEngine> {
  return resources.use(await new LocalEngine(relay.url).start());
}

/** The chat with a person in an engine. */
async function chatWith(engine: Callable, handle: string): Promise<DirectConversation> {
  const all = await callEngine(engine, 'conversations.list', {});
  const found = all.find((each) => each.kind === 'direct' && each.peer.handle === handle);
  if (found?.kind !== 'direct') throw new Error(`there is no chat with ${handle}`);
  return found;
}

const isOnline = (engine: Callable) =>
  eventually(
    () => callEngine(engine, 'connection.get', {}),
    ({ state }) => state === 'online',
  );

test('a linked computer gets the settings of the other, and later changes agree', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await setUp(await newEngine(), 'spam');
  const { id } = await openChat(laptop, 'ben');
  const { peer } = await chatWith(laptop, 'ben');
  const spam = await openChat(laptop, 'spam');
  await callEngine(laptop, 'conversations.setPinned', { id, pinned: true });
  await callEngine(laptop, 'conversations.setMuted', { id, until: 'always' });
  await callEngine(laptop, 'people.setNickname', { address: peer.address, nickname: 'Benny' });
  await callEngine(laptop, 'people.setVerified', { address: peer.address, verified: true });
  await callEngine(laptop, 'conversations.block', { id: spam.id });
  await linkEngines(laptop, desktop);

  // Nothing was written since, but the settings are synced, and the blocked person has a chat.
  const blocked = await eventually(
    () => callEngine(desktop, 'conversations.list', {}),
    ({ length }) => length > 0,
  );
  expect(blocked).toMatchObject([{ state: 'blocked' }]);
  await openChat(desktop, 'ben');
  const here = await chatWith(desktop, 'ben');
  expect(here).toMatchObject({
    pinned: true,
    mutedUntil: 'always',
    verifiedAt: expect.any(Number),
    peer: { nickname: 'Benny', displayName: 'ben' },
  });
  expect((await chatWith(laptop, 'ben')).peer).toMatchObject({ nickname: 'Benny' });

  // Also from the other device: each is removed or set.
  const until = Date.now() + 3_600_000;
  await callEngine(desktop, 'conversations.setArchived', { id: here.id, archived: true });
  await callEngine(desktop, 'conversations.setMuted', { id: here.id, until });
  await callEngine(desktop, 'people.setNickname', { address: peer.address, nickname: null });
  await callEngine(desktop, 'people.setVerified', { address: peer.address, verified: false });
  await callEngine(desktop, 'conversations.unblock', { id: blocked[0]?.id ?? '' });
  await callEngine(desktop, 'profile.save', { displayName: 'Ann of Two' });
  const there = await eventually(
    () => chatWith(laptop, 'ben'),
    ({ archived }) => archived,
  );
  expect(there).toMatchObject({
    pinned: false,
    mutedUntil: until,
    verifiedAt: null,
    peer: { nickname: null },
  });
  await eventually(
    () => chatWith(laptop, 'spam'),
    ({ state }) => state === 'accepted',
  );
  await eventually(
    () => callEngine(laptop, 'app.state', {}),
    ({ me }) => me?.displayName === 'Ann of Two',
  );
});

test('a changed handle reaches the other computer, and the old one stays reserved', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await linkEngines(laptop, desktop);
  await isOnline(desktop);
  const changed = await callEngine(laptop, 'profile.save', { handle: 'annie', displayName: '' });
  expect(changed).toMatchObject({ handle: 'annie', displayName: null });
  const has = (engine: Callable, handle: string) =>
    eventually(
      () => callEngine(engine, 'app.state', {}),
      ({ me }) => me?.handle === handle,
    );
  await has(desktop, 'annie');

  await expect(callEngine(ben, 'profile.save', { handle: 'annie', displayName: '' })).rejects.toMatchObject({
    data: { code: 'handle_in_use', parameters: { handle: 'annie' } },
  });
  await expect(callEngine(ben, 'profile.save', { handle: 'ann', displayName: '' })).rejects.toMatchObject({
    data: { code: 'handle_in_use', parameters: { handle: 'ann' } },
  });
  await callEngine(desktop, 'profile.save', { handle: 'ann', displayName: '' });
  await has(laptop, 'ann');
});

test('reading or marking as unread on one computer reaches the other', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await linkEngines(laptop, desktop);
  const { id: toAnn } = await openChat(ben, 'ann');
  for (const text of ['one', 'two', 'three'])
    await callEngine(ben, 'messages.send', { conversationId: toAnn, text });
  const unread = (engine: Callable, wanted: Partial<DirectConversation>) =>
    eventually(
      async () => {
        const all = await callEngine(engine, 'conversations.list', {});
        return all[0];
      },
      (chat) =>
        chat !== undefined && Object.entries(wanted).every(([key, value]) => chat[key as 'unread'] === value),
    );
  const chat = await unread(laptop, { unread: 3 });
  await unread(desktop, { unread: 3 });
  const page = { conversationId: chat?.id ?? '', limit: 10 };
  const { messages } = await callEngine(laptop, 'messages.list', page);
  await callEngine(laptop, 'conversations.markRead', {
    id: page.conversationId,
    upTo: messages[1]?.id ?? '',
  });
  await unread(desktop, { unread: 1 });
  await callEngine(laptop, 'conversations.markRead', {
    id: page.conversationId,
    upTo: messages[2]?.id ?? '',
  });
  const read = await unread(desktop, { unread: 0 });

  const onDesktop = await callEngine(desktop, 'messages.list', { conversationId: read?.id ?? '', limit: 10 });
  const marked = await callEngine(desktop, 'conversations.markUnread', {
    id: read?.id ?? '',
    from: onDesktop.messages[1]?.id ?? '',
  });
  expect(marked).toMatchObject({ markedUnread: true, unread: 2, firstUnreadId: onDesktop.messages[1]?.id });
  const onLaptop = await unread(laptop, { markedUnread: true, unread: 2 });
  expect(onLaptop?.firstUnreadId).toBe(messages[1]?.id);
  // Reading up to the same message again clears the mark on both devices.
  await callEngine(laptop, 'conversations.markRead', {
    id: page.conversationId,
    upTo: messages[2]?.id ?? '',
  });
  await unread(laptop, { markedUnread: false, unread: 0 });
  await unread(desktop, { markedUnread: false, unread: 0 });
});

test('a changed timer, nickname, mute and archive agree on two computers that were offline', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const { id: first } = await openChat(laptop, 'ben');
  await callEngine(laptop, 'messages.send', { conversationId: first, text: 'Hello' });
  await linkEngines(laptop, desktop, { withHistory: true });
  const second = (
    await eventually(
      () => chatWith(desktop, 'ben').catch(() => null),
      (chat) => chat !== null,
    )
  )?.id;
  if (second === undefined) throw new Error('the linked computer has no chat');
  const { address } = (await chatWith(laptop, 'ben')).peer;
  await relay.stop();
  const change = async (engine: Callable, id: string, nickname: string, seconds: number) => {
    await callEngine(engine, 'people.setNickname', { address, nickname });
    await callEngine(engine, 'conversations.setTimer', { id, seconds });
  };
  await change(laptop, first, 'Of the laptop', 3600);
  await callEngine(laptop, 'conversations.setArchived', { id: first, archived: true });
  await change(desktop, second, 'Of the desktop', 86_400);
  await callEngine(desktop, 'conversations.setMuted', { id: second, until: 'always' });
  await relay.start();
  for (const engine of [laptop, desktop]) await callEngine(engine, 'connection.retry', {});
  const agreed = async (engine: Callable) => {
    const { archived, mutedUntil, peer, timer } = await chatWith(engine, 'ben');
    return { archived, mutedUntil, nickname: peer.nickname, timer };
  };
  const [one] = await eventually(
    () => Promise.all([agreed(laptop), agreed(desktop)]),
    ([here, there]) => isDeepStrictEqual(here, there),
  );
  expect(one).toMatchObject({ archived: true, mutedUntil: 'always' });
});

test('the later of two offline changes of a setting wins on both', async () => {
  const [laptop, desktop, ben] = [await newEngine(), await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await linkEngines(laptop, desktop);
  const { id: first } = await openChat(laptop, 'ben');
  const { id: second } = await openChat(desktop, 'ben');
  const { address } = (await chatWith(laptop, 'ben')).peer;
  await relay.stop();
  await callEngine(laptop, 'people.setNickname', { address, nickname: 'Of the laptop' });
  await callEngine(laptop, 'conversations.setPinned', { id: first, pinned: true });
  await callEngine(desktop, 'people.setNickname', { address, nickname: 'Of the desktop' });
  await callEngine(desktop, 'conversations.setMuted', { id: second, until: 'always' });
  // Both are restarted meanwhile, as after a night.
  for (const engine of [laptop, desktop]) {
    await engine.close();
    await engine.start();
  }
  await relay.start();
  for (const engine of [laptop, desktop]) {
    await callEngine(engine, 'connection.retry', {});
    await eventually(
      () => chatWith(engine, 'ben'),
      ({ peer, pinned, mutedUntil }) =>
        peer.nickname === 'Of the desktop' && pinned && mutedUntil === 'always',
    );
  }
});

test('a setting changed just before a kill reaches the other computer after the next start', async () => {
  const laptop = resources.use(await new KillableEngine(relay.url).start());
  const [desktop, ben] = [await newEngine(), await newEngine()];
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await linkEngines(laptop, desktop);
  const { id } = await openChat(laptop, 'ben');
  await openChat(desktop, 'ben');
  const { id: toAnn } = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: toAnn, text: 'hello' });
  for (const engine of [laptop, desktop])
    await eventually(
      () => chatWith(engine, 'ben'),
      ({ unread }) => unread === 1,
    );
  const { messages } = await callEngine(laptop, 'messages.list', { conversationId: id, limit: 1 });
  await callEngine(laptop, 'conversations.setPinned', { id, pinned: true });
  await callEngine(laptop, 'conversations.markRead', { id, upTo: messages[0]?.id ?? '' });
  await laptop.kill();
  await laptop.start();
  await isOnline(laptop);
  await eventually(
    () => chatWith(desktop, 'ben'),
    ({ pinned, unread }) => pinned && unread === 0,
  );
});

test('a note to oneself is sent and reaches the other own computer', async () => {
  const [laptop, desktop] = [await newEngine(), await newEngine()];
  const me = await setUp(laptop, 'ann');
  await linkEngines(laptop, desktop);
  await isOnline(desktop);
  const note = await callEngine(desktop, 'conversations.open', { address: me.address });
  expect(note).toMatchObject({ kind: 'direct', isSelf: true, state: 'accepted' });
  await callEngine(desktop, 'messages.send', { conversationId: note.id, text: 'Buy seeds' });
  const sent = await eventually(
    () => callEngine(desktop, 'conversations.get', { id: note.id }),
    ({ last }) => last !== null && last.state !== 'queued',
  );
  expect(sent.last).toMatchObject({ state: 'sent', outgoing: true });
  const there = await eventually(
    () => callEngine(laptop, 'conversations.list', {}),
    (all) => all.some(({ last }) => last !== null),
  );
  expect(there).toMatchObject([
    { kind: 'direct', isSelf: true, unread: 0, last: { outgoing: true, summary: { text: 'Buy seeds' } } },
  ]);
});

test('all unread messages are marked as read without naming one', async () => {
  const [ann, ben] = [await newEngine(), await newEngine()];
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { id } = await openChat(ann, 'ben');
  const atBens = await openChat(ben, 'ann');
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'Hello' });
  await eventually(
    () => chatWith(ben, 'ann'),
    ({ unread }) => unread === 1,
  );
  await callEngine(ben, 'conversations.markRead', { id: atBens.id, upTo: null });
  expect(await chatWith(ben, 'ann')).toMatchObject({ unread: 0, markedUnread: false });
  await callEngine(ben, 'conversations.markUnread', { id: atBens.id, from: null });
  expect(await chatWith(ben, 'ann')).toMatchObject({ markedUnread: true });
  await callEngine(ben, 'conversations.markRead', { id: atBens.id, upTo: null });
  expect(await chatWith(ben, 'ann')).toMatchObject({ unread: 0, markedUnread: false });
});
