import { expect, test } from 'vitest';
import { startRelay } from '../../../src/relay/index.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';

test('A writes to B by handle; B sees a request, accepts and answers; both restart in between', async () => {
  using folder = temporaryFolder();
  let relay = await startRelay({ dataDirectory: folder.path });
  await using ann = await new TestEngine(relay.url).start();
  await using ben = await new TestEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');

  const toBen = await openChat(ann, 'ben');
  const arrived = ben.next('message.arrived');
  await callEngine(ann, 'messages.send', { conversationId: toBen.id, text: 'Hello Ben' });
  expect(await arrived).toMatchObject({ summary: { text: 'Hello Ben' }, request: true });
  const [request] = await callEngine(ben, 'conversations.list', {});
  expect(request).toMatchObject({ state: 'request', unread: 1 });

  await ben.close();
  await ann.close();
  await ben.start();
  await callEngine(ben, 'conversations.accept', { id: request?.id ?? '' });
  await callEngine(ben, 'messages.send', { conversationId: request?.id ?? '', text: 'Hello Ann' });

  const { port } = relay;
  await relay.close();
  relay = await startRelay({ dataDirectory: folder.path, port });
  await ann.start();
  const atAnn = await eventually(
    () => allMessages(ann),
    (messages) => messages.length === 2,
  );
  expect(atAnn.map(({ text, trust, state }) => [text, trust, state])).toEqual([
    ['Hello Ben', 'self', 'sent'],
    ['Hello Ann', 'verified', 'received'],
  ]);
  const atBen = await eventually(
    () => allMessages(ben),
    (messages) => messages[1]?.state === 'sent',
  );
  expect(atBen.map(({ text, trust, state }) => [text, trust, state])).toEqual([
    ['Hello Ben', 'verified', 'received'],
    ['Hello Ann', 'self', 'sent'],
  ]);
  await relay.close();
});
