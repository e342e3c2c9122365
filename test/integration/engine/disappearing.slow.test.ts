/**
 * Disappearing messages, between two people, one of them with two devices, and in a group: separate engines on a real relay,
 * whose clocks are set.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { pagesOf } from '../../support/cache-pages.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { type Callable, callEngine, eventually, linkEngines, openChat, setUp } from '../../support/engine.ts';
import { KillableEngine } from '../../support/killable-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const SECRET = 'the mill burns at midnight';

let resources: AsyncDisposableStack;
let relay: TestRelay;
let ann: ClockedEngine;
let ben: ClockedEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  [ann, ben] = [await newEngine(), await newEngine()];
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<ClockedEngine> {
  return resources.use(await new ClockedEngine(relay.url).start());
}

async function chatOf(engine: Callable, kind: Conversation['kind'] = 'direct'): Promise<Conversation> {
  const found = await eventually(
    () => callEngine(engine, 'conversations.list', {}),
    (all) => all.some((each) => each.kind === kind),
  );
  return found.find((each) => each.kind === kind) as Conversation;
}

async function timeline(engine: Callable, kind: Conversation['kind'] = 'direct'): Promise<Message[]> {
  const { id } = await chatOf(engine, kind);
  return (await callEngine(engine, 'messages.list', { conversationId: id, limit: 200 })).messages;
}

function seen(
  engine: Callable,
  matches: (message: Message) => boolean,
  kind: Conversation['kind'] = 'direct',
): Promise<Message> {
  return eventually(
    async () => (await timeline(engine, kind)).find(matches),
    (message) => message !== undefined,
  ) as Promise<Message>;
}

const isLine = (seconds: number) => (message: Message) =>
  message.event?.type === 'timer' && message.event.seconds === seconds;
const hasText = (text: string) => (message: Message) => message.text === text;

/** Ann and Ben have written to each other. */
async function meet(from: Callable = ann): Promise<string> {
  const { id } = await openChat(from, 'ben');
  await callEngine(from, 'messages.send', { conversationId: id, text: 'hello' });
  await callEngine(ben, 'conversations.accept', { id: (await chatOf(ben)).id });
  return id;
}

async function read(engine: Callable, kind: Conversation['kind'] = 'direct'): Promise<void> {
  await callEngine(engine, 'conversations.markRead', { id: (await chatOf(engine, kind)).id, upTo: null });
}

test('a message with a timer is erased with its data on all devices when it ends', async () => {
  const desktop = await newEngine();
  await linkEngines(ann, desktop);
  const id = await meet();
  await callEngine(ann, 'conversations.setTimer', { id, seconds: 30 });
  for (const engine of [ann, desktop, ben]) {
    const line = await seen(engine, isLine(30));
    expect(line.event?.who.handle).toBe('ann');
    expect((await chatOf(engine)).timer).toBe(30);
  }
  const written = await callEngine(ben, 'messages.send', {
    conversationId: (await chatOf(ben)).id,
    text: SECRET,
  });
  expect(written.disappears).toEqual({ after: 30, at: null });
  const atAnn = await seen(ann, hasText(SECRET));
  expect(atAnn.disappears, 'nobody has read it').toEqual({ after: 30, at: null });
  await callEngine(ann, 'messages.pin', { id: atAnn.id, pinned: true });
  const answer = { conversationId: id, text: 'I know', replyTo: atAnn.id };
  const { id: answerId } = await callEngine(ann, 'messages.send', answer);
  await callEngine(ben, 'messages.edit', { id: written.id, text: `${SECRET}!` });
  await seen(ann, hasText(`${SECRET}!`));
  await seen(desktop, hasText(`${SECRET}!`));
  await seen(desktop, hasText('I know'));
  await callEngine(ben, 'messages.react', { id: (await seen(ben, hasText('I know'))).id, emoji: ['🔥'] });
  await seen(ann, ({ reactions }) => reactions.length > 0);

  // Read on one device, its time begins on both.
  await read(ann);
  const begun = await callEngine(ann, 'messages.info', { id: atAnn.id });
  expect(begun.disappears?.at).toBeGreaterThan(0);
  await seen(desktop, (message) => message.text === `${SECRET}!` && message.disappears?.at != null);
  for (const engine of [ann, desktop, ben]) engine.ahead = 40_000;
  for (const engine of [ann, desktop]) {
    const left = await timeline(engine);
    expect(left.map(({ text }) => text).join()).toBe('hello,');
    expect((await chatOf(engine)).last?.summary.text).toBe('hello');
    expect(
      await callEngine(engine, 'messages.pinned', { conversationId: (await chatOf(engine)).id }),
    ).toEqual([]);
    await eventually(
      async () => engine.events.some(({ name }) => name === 'messages.expired'),
      (isReported) => isReported,
    );
  }
  await expect(callEngine(ann, 'messages.info', { id: answerId })).rejects.toMatchObject({
    code: 'message_deleted',
  });
  // Ben's own one, and Ann's unread one.
  await read(ben);
  ben.ahead = 80_000;
  expect((await timeline(ben)).map(({ text }) => text).join()).toBe('hello,');
  for (const engine of [ann, desktop, ben]) {
    await engine.close();
    const pages = pagesOf(engine.folder.path, engine.key);
    for (const word of [SECRET, 'I know', '🔥']) {
      expect(pages).not.toContain(Buffer.from(word).toString('latin1'));
    }
  }
});

test('V9: messages that ended while the app was closed are erased before anything is shown, also after a kill', async () => {
  const killed = resources.use(await new KillableEngine(relay.url).start());
  await setUp(killed, 'cat');
  const id = await meet(killed);
  await callEngine(ben, 'conversations.setTimer', { id: (await chatOf(ben)).id, seconds: 30 });
  await seen(killed, isLine(30));
  await callEngine(killed, 'messages.send', { conversationId: id, text: SECRET });
  await seen(killed, ({ text, state }) => text === SECRET && state === 'sent');
  await killed.kill();
  expect(pagesOf(killed.folder.path, killed.key)).toContain(SECRET);

  await killed.start(new URL('../../support/minute-ahead.ts', import.meta.url));
  expect((await timeline(killed)).map(({ text }) => text).join()).toBe('hello,');
  await killed.kill();
  expect(pagesOf(killed.folder.path, killed.key)).not.toContain(SECRET);
});

test('a pending message stays until it is sent; newer ones have the current timer', async () => {
  const id = await meet();
  await seen(ann, ({ state, text }) => text === 'hello' && state === 'sent');
  await relay.stop();
  await callEngine(ann, 'conversations.setTimer', { id, seconds: 30 });
  const waiting = await callEngine(ann, 'messages.send', { conversationId: id, text: SECRET });
  await callEngine(ann, 'conversations.setTimer', { id, seconds: 0 });
  const last = await callEngine(ann, 'messages.send', { conversationId: id, text: 'for good' });
  expect([waiting.disappears, last.disappears]).toEqual([{ after: 30, at: null }, null]);
  ann.ahead = 60_000;
  expect((await timeline(ann)).some(hasText(SECRET))).toBe(true);

  await relay.start();
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  expect((await seen(ben, hasText(SECRET))).disappears?.after).toBe(30);
  expect((await seen(ben, hasText('for good'))).disappears).toBeNull();
  expect(await seen(ann, (each) => each.text === SECRET && each.state === 'sent')).toMatchObject({
    disappears: { at: expect.any(Number) },
  });
  ann.ahead = 100_000;
  expect((await timeline(ann)).filter(({ kind }) => kind === 'text').map(({ text }) => text)).toEqual([
    'hello',
    'for good',
  ]);
  // The last setting is in effect, and one line shows it.
  expect((await chatOf(ben)).timer).toBe(0);
});

test('a group has the timer of its owner; others cannot set it', async () => {
  const join = { mode: 'open' } as const;
  const group = await callEngine(ann, 'groups.create', { name: 'Hikers', description: '', join });
  if (group.kind !== 'group') throw new Error('no group');
  await callEngine(ben, 'groups.join', { groupId: group.group.groupId, password: null });
  const set = await callEngine(ann, 'conversations.setTimer', { id: group.id, seconds: 3_600 });
  expect(set.timer).toBe(3_600);
  const atBen = await chatOf(ben, 'group');
  await expect(callEngine(ben, 'conversations.setTimer', { id: atBen.id, seconds: 0 })).rejects.toMatchObject(
    { code: 'roster_act_refused' },
  );
  await callEngine(ben, 'groups.look', { conversationId: atBen.id });
  expect(await seen(ben, isLine(3_600), 'group')).toMatchObject({ event: { who: { handle: 'ann' } } });
  const { disappears } = await callEngine(ben, 'messages.send', { conversationId: atBen.id, text: SECRET });
  expect(disappears?.after).toBe(3_600);
  expect((await seen(ann, hasText(SECRET), 'group')).disappears?.after).toBe(3_600);
});

test('new chats have the person’s default on all devices, and a new device knows all timers', async () => {
  await meet();
  await callEngine(ann, 'conversations.setTimer', { id: (await chatOf(ann)).id, seconds: 300 });
  await callEngine(ann, 'conversations.setDefaultTimer', { seconds: 86_400 });
  const desktop = await newEngine();
  await linkEngines(ann, desktop);
  await eventually(
    () => callEngine(desktop, 'conversations.defaultTimer', {}),
    ({ seconds }) => seconds === 86_400,
  );
  expect((await openChat(desktop, 'ben')).timer).toBe(300);

  const cat = await newEngine();
  await setUp(cat, 'cat');
  const { id, timer } = await openChat(desktop, 'cat');
  expect(timer).toBe(0);
  const first = await callEngine(desktop, 'messages.send', { conversationId: id, text: 'hello cat' });
  expect(first.disappears?.after).toBe(86_400);
  expect(await callEngine(desktop, 'conversations.get', { id })).toMatchObject({ timer: 86_400 });
  await eventually(
    () => chatOf(cat),
    (chat) => chat.timer === 86_400,
  );
  expect((await seen(cat, hasText('hello cat'))).disappears?.after).toBe(86_400);

  // The first messages of a new chat, forwarded together: all of them take it.
  const dan = await newEngine();
  await setUp(dan, 'dan');
  const { id: toDan } = await openChat(desktop, 'dan');
  const second = await callEngine(desktop, 'messages.send', { conversationId: id, text: 'and once more' });
  await seen(desktop, ({ text, state }) => text === 'and once more' && state === 'sent');
  await callEngine(desktop, 'messages.forward', { ids: [first.id, second.id], to: [toDan] });
  for (const text of ['hello cat', 'and once more'])
    expect((await seen(dan, hasText(text))).disappears?.after).toBe(86_400);

  const group = await callEngine(desktop, 'groups.create', {
    name: 'Hikers',
    description: '',
    join: { mode: 'open' },
  });
  expect(group.timer).toBe(86_400);
});
