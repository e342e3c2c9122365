/** The end of a block that the person ends on this device. */
import { expect, test } from 'vitest';
import { callEngine, eventually, openChat, setUp } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

test('unblocking returns a request to the requests, and an accepted chat to the chats', async () => {
  await using relay = await new TestRelay().start();
  await using ann = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const { id: withBen } = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: withBen, text: 'Hello' });
  const [request] = await eventually(
    () => callEngine(ben, 'conversations.list', {}),
    ({ length }) => length === 1,
  );
  const chat = { id: request?.id ?? '' };
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
