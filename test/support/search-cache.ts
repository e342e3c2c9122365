/** A cache with the parts of the engine that store and search messages. */
import { randomBytes } from 'node:crypto';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import type { NewMessage } from '../../src/engine/cache/messages.ts';
import { type Context, createContext } from '../../src/engine/context.ts';
import { searchProcedures } from '../../src/engine/procedures/search.ts';
import { SealingPool } from '../../src/engine/sealing/pool.ts';
import { Indexer } from '../../src/engine/search/indexer.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';
import { temporaryFolder } from './engine.ts';

export const START = Date.UTC(2026, 0, 1, 12);

export interface SearchCache extends Disposable {
  folder: string;
  key: Uint8Array;
  db: Cache;
  context: Context;
  indexer: Indexer;
  search: ReturnType<typeof searchProcedures>;
  /** Names of events so far. */
  events: string[];
  /** A direct conversation with the person who has this number. */
  chatWith(person: number): number;
  /** Stores a received text. @returns its id */
  add(conversationId: number, text: string, part?: Partial<NewMessage> & { fields?: object }): number;
  /** Snippets of all messages that a search finds, in its order. */
  find(text: string, conversationId?: number): string[];
}

export const personAddress = (person: number): string => `0x${String(person).padStart(40, '7')}`;

export function openSearchCache(folder = temporaryFolder(), key: Uint8Array = randomBytes(32)): SearchCache {
  const events: string[] = [];
  const db = openCache(folder.path, key);
  const pool = new SealingPool(new URL('file:///'));
  const context = createContext(db, pool, (name) => void events.push(name));
  const search = searchProcedures({
    context,
    relays: { embedded: null, fixed: null },
    online: null,
    goOnline: () => {
      throw new Error('not online');
    },
  });
  let count = 0;
  return {
    folder: folder.path,
    key,
    db,
    context,
    indexer: new Indexer(context),
    search,
    events,
    chatWith: (person) => {
      const contact = context.contacts.ensure(personAddress(person), START);
      return context.conversations.ensure(contact.id, 'accepted', START).id;
    },
    add: (conversationId, text, { fields, ...part } = {}) => {
      count += 1;
      const sender = part.sender ?? personAddress(1);
      const at = START + count * 1_000;
      const body = { kind: 'text', text, sender, sentAt: encodeTime(at), seq: count, ...fields };
      return context.transaction(() =>
        context.messages.insert({
          conversationId,
          sender,
          uid: randomBytes(16),
          body: body as unknown as MessageBody,
          sentAt: at,
          storedAt: at,
          state: 'received',
          trust: 'verified',
          ...part,
        }),
      );
    },
    find: (text, conversationId) => {
      const found: string[] = [];
      let before: string | undefined;
      do {
        const page = search['search.messages']({
          text,
          limit: 50,
          ...(before !== undefined && { before }),
          ...(conversationId !== undefined && { conversationId: String(conversationId) }),
        }) as Awaited<ReturnType<(typeof search)['search.messages']>>;
        found.push(...page.hits.map(({ snippet }) => snippet));
        before = page.next ?? undefined;
      } while (before !== undefined);
      return found;
    },
    [Symbol.dispose]: () => {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}
