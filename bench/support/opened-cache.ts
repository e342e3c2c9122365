/**
 * Starts an engine on a cache in its own process, and closes it; then opens the cache again, and prints the times of its first
 * answers as JSON, in milliseconds, with the number of statements. Arguments: the folder, the key as hex, and the id of the
 * conversation to open.
 */
import { openCache } from '../../src/engine/cache/database.ts';
import { Engine } from '../../src/engine/engine.ts';
import { Expiry } from '../../src/engine/expiry.ts';
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

const relays = { embedded: null, fixed: null };
const worker = (name: string) => new URL(`../../src/engine/${name}/worker.ts`, import.meta.url);
const databaseKey = Buffer.from(key, 'hex');
const { db, engine } = measure('start the engine', () => {
  const db = openCache(path, databaseKey);
  const settings = { sealingWorker: worker('sealing'), fileWorker: worker('files'), relays };
  return { db, engine: new Engine(db, settings, () => undefined) };
});
await engine.close();
if (db.open) throw new Error('the engine has not closed its cache');

const folder = { path, [Symbol.dispose]: () => undefined };
const cache = measure('open the cache', () => openSearchCache(folder, databaseKey));
let statements = 0;
const { prepare } = cache.db;
cache.db.prepare = ((sql: string) => {
  statements += 1;
  return prepare(sql);
}) as typeof prepare;
const parts = {
  context: cache.context,
  relays,
  online: null,
  goOnline: () => {
    throw new Error('not online');
  },
};
const conversations = conversationProcedures(parts);
const messages = messageProcedures(parts);
const list = (place: { before?: string; after?: string; around?: string }) =>
  messages['messages.list']({ conversationId, limit: PAGE, ...place }) as Awaited<
    ReturnType<(typeof messages)['messages.list']>
  >;

measure('erase what has ended', () => {
  const expiry = new Expiry(cache.context);
  expiry.start();
  expiry.close();
});
measure('accept the clock of the relay', () => cache.context.resetFutureTimes());
const chats = measure('list the chats', () => conversations['conversations.list']({})) as Awaited<
  ReturnType<(typeof conversations)['conversations.list']>
>;
const firstUnread = chats.find(({ id }) => id === conversationId)?.firstUnreadId ?? null;
if (firstUnread !== null) {
  const upTo = measure('open a chat at its first unread message', () => list({ around: firstUnread }));
  measure('mark a page as read', () =>
    conversations['conversations.markRead']({
      id: conversationId,
      upTo: upTo.messages.at(-1)?.id ?? firstUnread,
    }),
  );
}
let page = measure('open a chat at its end', () => list({}));
const { id: middle } = measure('find a date', () => {
  const at = cache.db
    .prepare<[number], { at: number | null }>(
      'SELECT (min(stored_at) + max(stored_at)) / 2 AS at FROM messages WHERE conversation_id = ? AND event IS NULL AND late = 0',
    )
    .get(Number(conversationId));
  return messages['messages.from']({ conversationId, at: Math.floor(at?.at ?? 0) }) as { id: string | null };
});
if (middle !== null) page = measure('open its middle', () => list({ around: middle }));
const [startStatements, startMemory] = [statements, process.memoryUsage().rss];
for (let count = 0; count < PAGES && page.hasOlder; count++) {
  const [first] = page.messages;
  page = measure('scroll up by a page', () => list({ before: first?.id ?? '' }));
}
console.log(
  JSON.stringify({
    // The longest of each: it is felt.
    times: Object.fromEntries([...times].map(([name, all]) => [name, Math.max(...all)])),
    startMemory,
    memory: process.memoryUsage().rss,
    statements: startStatements,
  }),
);
cache.db.close();
