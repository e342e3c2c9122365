import { expect, test } from 'vitest';
import { startRelay } from '../../../src/relay/index.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  temporaryFolder,
} from '../../support/engine.ts';

const HOUR = 3_600_000;

test('a message that waited on the server has the time of its sending', async () => {
  using folder = temporaryFolder();
  let ahead = 0;
  const relay = await startRelay({ dataDirectory: folder.path, clock: () => Date.now() + ahead });
  await using ann = new ClockedEngine(relay.url);
  await using ben = new ClockedEngine(relay.url);
  for (const engine of [ann, ben]) await engine.start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  await ben.close();

  const { id: conversationId } = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId, text: 'before midnight' });
  const [sent] = await eventually(
    () => allMessages(ann),
    (messages) => messages[0]?.state === 'sent',
  );
  // It is the next morning.
  ahead = 10 * HOUR;
  for (const engine of [ann, ben]) engine.ahead = ahead;
  await ben.start();
  const [came] = await eventually(
    () => allMessages(ben),
    (messages) => messages.length === 1,
  );
  if (!sent || !came) throw new Error('no message');
  expect(came.storedAt - sent.at).toBeGreaterThan(9 * HOUR);
  expect(Math.abs(came.at - sent.at)).toBeLessThan(HOUR);
  const [chat] = await callEngine(ben, 'conversations.list', {});
  expect(chat?.last?.at).toBe(came.at);
  await relay.close();
});
