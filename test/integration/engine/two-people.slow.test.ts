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

test('a second device with the same phrase gets the messages that the first sends and receives', async () => {
  using folder = temporaryFolder();
  const relay = await startRelay({ dataDirectory: folder.path });
  await using first = await new TestEngine(relay.url).start();
  await using second = await new TestEngine(relay.url).start();
  await using ben = await new TestEngine(relay.url).start();
  const key = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
  const identity = { kind: 'import' as const, secret: key };
  await callEngine(first, 'setup.finish', { relay: { kind: 'embedded' }, identity });
  await callEngine(first, 'profile.save', { handle: 'ann', displayName: 'Ann' });
  await setUp(ben, 'ben');
  await callEngine(second, 'setup.finish', { relay: { kind: 'embedded' }, identity });
  expect(await callEngine(second, 'app.state', {})).toMatchObject({ phase: 'ready', me: { handle: 'ann' } });

  const toBen = await openChat(first, 'ben');
  await callEngine(first, 'messages.send', { conversationId: toBen.id, text: 'from my first device' });
  const copied = await eventually(
    () => allMessages(second),
    ({ length }) => length === 1,
  );
  expect(copied[0]).toMatchObject({ text: 'from my first device', trust: 'self', state: 'sent' });

  const toAnn = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: toAnn.id, text: 'to both' });
  for (const device of [first, second]) {
    const messages = await eventually(
      () => allMessages(device),
      ({ length }) => length === 2,
    );
    expect(messages[1]).toMatchObject({ text: 'to both', trust: 'verified' });
  }
  await relay.close();
});

test('offline messages are sent in order when the relay is back', async () => {
  using folder = temporaryFolder();
  let relay = await startRelay({ dataDirectory: folder.path });
  await using ann = await new TestEngine(relay.url).start();
  await using ben = await new TestEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const chat = await openChat(ann, 'ben');

  const { port } = relay;
  await relay.close();
  const texts = Array.from({ length: 5 }, (_, index) => `while away ${index}`);
  for (const text of texts) await callEngine(ann, 'messages.send', { conversationId: chat.id, text });
  const offline = await eventually(
    () => callEngine(ann, 'connection.get', {}),
    ({ state }) => state === 'offline',
  );
  expect(offline).toMatchObject({ queued: 5, problem: { code: expect.stringMatching(/^relay_/) as string } });

  relay = await startRelay({ dataDirectory: folder.path, port });
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  const messages = await eventually(
    () => allMessages(ben),
    ({ length }) => length === texts.length,
  );
  expect(messages.map(({ text }) => text)).toEqual(texts);
  await eventually(
    () => callEngine(ann, 'connection.get', {}),
    ({ queued }) => queued === 0,
  );
  await relay.close();
});
