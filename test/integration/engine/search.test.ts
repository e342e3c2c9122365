/**
 * Search over two engines: edits, deletion for everyone, blocking, expiry and a restart change its results.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually, openChat, setUp } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const HOUR = 3_600_000;

let resources: AsyncDisposableStack;
let ann: LocalEngine;
let ben: ClockedEngine;
/** Ann's chat with ben. */
let chat: string;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const relay = resources.use(await new TestRelay().start());
  ann = resources.use(await new LocalEngine(relay.url).start());
  ben = resources.use(new ClockedEngine(relay.url));
  await ben.start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  chat = (await openChat(ann, 'ben')).id;
});
afterEach(() => resources.disposeAsync());

/** Snippets that ben's search finds, once there is this number of them. */
async function found(text: string, count: number): Promise<string[]> {
  const { hits } = await eventually(
    () => callEngine(ben, 'search.messages', { text, limit: 50 }),
    (page) => page.hits.length === count,
  );
  return hits.map(({ snippet }) => snippet);
}

const send = (text: string) => callEngine(ann, 'messages.send', { conversationId: chat, text });

test('edits and deletion for everyone reach the search of the other person', async () => {
  const { id } = await send('We meet at the harbour');
  expect(await found('harb', 1)).toEqual(['We meet at the harbour']);
  await callEngine(ann, 'messages.edit', { id, text: 'We meet at the station' });
  expect(await found('station', 1)).toEqual(['We meet at the station']);
  expect(await found('harbour', 0)).toEqual([]);
  await callEngine(ann, 'messages.delete', { ids: [id], forEveryone: true });
  expect(await found('station', 0)).toEqual([]);
});

test('a found message is shown without formatting marks, and its match is marked', async () => {
  await send('**Bring** the _binoculars_\n- and `bread`');
  const { hits } = await eventually(
    () => callEngine(ben, 'search.messages', { text: 'binoc', limit: 50 }),
    (page) => page.hits.length === 1,
  );
  expect(hits[0]).toMatchObject({
    snippet: 'Bring the binoculars\n• and bread',
    marks: [{ from: 10, to: 15 }],
  });
});

test('a restart keeps the index; a blocked chat is left out', async () => {
  await send('a word from before');
  await found('before', 1);
  await ben.close();
  await ben.start();
  expect(await found('from:ann word', 1)).toEqual(['a word from before']);
  const [request] = await callEngine(ben, 'conversations.list', {});
  await callEngine(ben, 'conversations.block', { id: request?.id ?? '' });
  expect(await found('before', 0)).toEqual([]);
});

test('a disappeared message is not found', async () => {
  await callEngine(ann, 'conversations.setTimer', { id: chat, seconds: 3_600 });
  await send('gone in an hour');
  await found('hour', 1);
  const [request] = await callEngine(ben, 'conversations.list', {});
  await callEngine(ben, 'conversations.accept', { id: request?.id ?? '' });
  await callEngine(ben, 'conversations.markRead', { id: request?.id ?? '', upTo: null });
  ben.ahead = 2 * HOUR;
  expect(await found('hour', 0)).toEqual([]);
});
