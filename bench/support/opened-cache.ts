/**
 * Opens a cache in its own process, as an engine does at its start, and prints the times of its first answers as JSON, in
 * milliseconds. Arguments: the folder, the key as hex, and the id of the conversation to open.
 */
import { conversationProcedures } from '../../src/engine/procedures/conversations.ts';
import { messageProcedures } from '../../src/engine/procedures/messages.ts';
import { openSearchCache } from '../../test/support/search-cache.ts';

const PAGE = 50;
/** Pages of scrolling up. */
const PAGES = 200;

const [path = '', key = '', conversationId = ''] = process.argv.slice(2);
const times = new Map<string, number[]>();
function measure<T>(name: string, work: () => T): T {
  const begin = performance.now();
  const result = work();
  times.set(name, [...(times.get(name) ?? []), performance.now() - begin]);
  return result;
}

const folder = { path, [Symbol.dispose]: () => undefined };
const cache = measure('open the cache', () => openSearchCache(folder, Buffer.from(key, 'hex')));
const parts = {
  context: cache.context,
  relays: { embedded: null, fixed: null },
  online: null,
  goOnline: () => {
    throw new Error('not online');
  },
};
const conversations = conversationProcedures(parts);
const messages = messageProcedures(parts);
const list = (place: { before?: string; around?: string }) =>
  messages['messages.list']({ conversationId, limit: PAGE, ...place }) as Awaited<
    ReturnType<(typeof messages)['messages.list']>
  >;

measure('list the chats', () => conversations['conversations.list']({}));
let page = measure('open a chat', () => list({}));
const { id: middle } = measure('find a date', () => {
  const at = cache.db
    .prepare<[number], { at: number | null }>(
      'SELECT (min(stored_at) + max(stored_at)) / 2 AS at FROM messages WHERE conversation_id = ? AND event IS NULL AND late = 0',
    )
    .get(Number(conversationId));
  return messages['messages.from']({ conversationId, at: Math.floor(at?.at ?? 0) }) as { id: string | null };
});
if (middle !== null) page = measure('open its middle', () => list({ around: middle }));
for (let count = 0; count < PAGES && page.hasOlder; count++) {
  const [first] = page.messages;
  page = measure('scroll up by a page', () => list({ before: first?.id ?? '' }));
}
console.log(
  JSON.stringify({
    // The longest of each: it is felt.
    times: Object.fromEntries([...times].map(([name, all]) => [name, Math.max(...all)])),
    memory: process.memoryUsage().rss,
  }),
);
cache.db.close();
