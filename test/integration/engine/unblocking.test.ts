/** The end of a block that the person ends on this device. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callEngine, eventually, openChat, setUp } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

let resources: AsyncDisposableStack;
let ben: LocalEngine;
/** The chat of a request to `ben`. */
let id: string;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const relay = resources.use(await new TestRelay().start());
  const ann = resources.use(await new LocalEngine(relay.url).start());
  ben = resources.use(await new LocalEngine(relay.url).start());
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { id: withBen } = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: withBen, text: 'Hello' });
  const [request] = await eventually(
    () => callEngine(ben, 'conversations.list', {}),
    ({ length }) => length === 1,
  );
  id = request?.id ?? '';
});
afterEach(() => resources.disposeAsync());

test('unblocking returns a request to the requests, and an accepted chat to the chats', async () => {
  const chat = { id };
  const state = async () => (await callEngine(ben, 'conversations.get', chat)).state;
  for (const before of ['request', 'accepted']) {
    if (before === 'accepted') await callEngine(ben, 'conversations.accept', chat);
    expect(await state()).toBe(before);
    await callEngine(ben, 'conversations.block', chat);
    expect(await state()).toBe('blocked');
    await callEngine(ben, 'conversations.unblock', chat);
    expect(await state()).toBe(before);
  }
});

test('each change of the right to answer the messages of a chat is reported', async () => {
  const mayAnswer = async () => {
    const { messages } = await callEngine(ben, 'messages.list', { conversationId: id, limit: 1 });
    return messages.map(({ can }) => can.refer);
  };
  expect(await mayAnswer()).toEqual([false]);
  for (const [action, right] of [
    ['conversations.accept', true],
    ['conversations.block', false],
    ['conversations.unblock', true],
  ] as const) {
    const reported: string[] = [];
    const stop = ben.handle.onEvent((name) => reported.push(name));
    await Promise.all([ben.next('conversations.changed'), callEngine(ben, action, { id })]);
    stop();
    expect(reported, action).toContain('messages.changed');
    expect(await mayAnswer()).toEqual([right]);
  }
});
