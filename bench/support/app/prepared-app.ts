/** A person's data folder with a generated history, at a relay in its own process, and a contact who writes to them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3-multiple-ciphers';
import { randomFrom } from '../../../dev/random.ts';
import { engineFolder } from '../../../src/host/data-folder.ts';
import { readPlainKey } from '../../../src/host/keys/plain-key.ts';
import { type Bot, newBot } from '../../../test/support/bots.ts';
import { openChat, setUp, temporaryFolder } from '../../../test/support/engine.ts';
import { CuttingProxy } from '../../../test/support/proxy.ts';
import { openSearchCache, personAddress } from '../../../test/support/search-cache.ts';
import { testSession } from '../../../test/support/session.ts';
import { historyOf, vocabularyOf } from '../history.ts';
import { startRelayProcess } from '../process.ts';
import { indexInSlices, storeChat, storeHistory } from '../stored-history.ts';

/** Number of a person who is not in the generated history. */
const OTHER_PERSON = 9_999;
/** Messages sent at once, each in its own call. */
const LANES = 32;
const INBOX = '/inbox';
/** Milliseconds between two queries. */
const PAUSE = 20;

/** Numbers of messages: of the whole history without the other two chats, and of each of these. */
export interface Sizes {
  history: number;
  large: number;
  small: number;
}

export interface StoredChat {
  id: string;
  /** Text of the newest message, which no other message has. */
  newest: string;
}

interface Parts {
  relayFolder: string;
  /** The data folder of the person. */
  folder: string;
  proxy: CuttingProxy;
  ben: Bot;
  ann: string;
  /** The chat with the contact. */
  large: StoredChat;
  small: StoredChat;
}

export class PreparedApp implements AsyncDisposable {
  readonly #resources: AsyncDisposableStack;
  readonly #parts: Parts;
  #sent = 0;

  private constructor(resources: AsyncDisposableStack, parts: Parts) {
    this.#resources = resources;
    this.#parts = parts;
  }

  static async make(sizes: Sizes): Promise<PreparedApp> {
    const resources = new AsyncDisposableStack();
    const relayFolder = resources.use(temporaryFolder()).path;
    const folder = resources.use(temporaryFolder()).path;
    const proxy = resources.use(await new CuttingProxy().start());
    const entry = new URL('../watched-relay.ts', import.meta.url);
    const { child, port } = await startRelayProcess(entry, relayFolder, proxy.url);
    resources.defer(() => void child.kill());
    proxy.target = `http://127.0.0.1:${port}`;
    const ben = await newBot(proxy, { handle: 'ben' });
    const session = testSession(folder, { relay: proxy.url });
    await session.start();
    const { address: ann } = await setUp(session, 'ann');
    const { id } = await openChat(session, 'ben');
    await session.close();
    return new PreparedApp(resources, {
      ...{ relayFolder, folder, proxy, ben, ann },
      ...fill(folder, id, ben.identity.address, sizes),
    });
  }

  get folder(): string {
    return this.#parts.folder;
  }

  get relayUrl(): string {
    return this.#parts.proxy.url;
  }

  get large(): StoredChat {
    return this.#parts.large;
  }

  get small(): StoredChat {
    return this.#parts.small;
  }

  /**
   * Sends messages to the large chat while the inbox of the app cannot be reached.
   * @returns the text of the last one
   */
  async sendUnreceived(count: number): Promise<string> {
    const { ann, ben, proxy } = this.#parts;
    proxy.cuts = ({ path }) => path.includes(INBOX);
    const send = async () => {
      this.#sent += 1;
      const text = `A new message of a usual length, number ${this.#sent} of all.`;
      await ben.client.send(ann, text);
      return text;
    };
    const end = this.#sent + count - 1;
    const lane = async () => {
      while (this.#sent < end) await send();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return send();
  }

  /**
   * Reconnects the app until it has acknowledged everything.
   * @returns the time of its first call for its inbox, in milliseconds of this process
   */
  async receiveAll(): Promise<number> {
    const { proxy, relayFolder } = this.#parts;
    using database = readOnly(join(relayFolder, 'relay.db'));
    // Receipts wait for the contact.
    const device = database
      .prepare('SELECT device FROM delivery GROUP BY device ORDER BY count(*) DESC LIMIT 1')
      .pluck()
      .get();
    const waiting = database
      .prepare<[unknown], number>('SELECT count(*) FROM delivery WHERE device = ?')
      .pluck();
    const begun = Promise.withResolvers<number>();
    proxy.cuts = ({ path, stage }) => {
      if (stage === 'before' && path.includes(INBOX)) begun.resolve(performance.now());
      return false;
    };
    const begin = await begun.promise;
    while ((waiting.get(device) ?? 0) > 0) await sleep(PAUSE);
    return begin;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** @param path of a database */
function readOnly(path: string): Database.Database & Disposable {
  const database = new Database(path, { readonly: true });
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() });
}

/** Stores a history, the chat with the contact, and a small chat. */
function fill(
  folder: string,
  largeId: string,
  contact: string,
  sizes: Sizes,
): { large: StoredChat; small: StoredChat } {
  const key = readPlainKey(folder);
  if (!key) throw new Error('the data folder has no plain key');
  using cache = openSearchCache({ path: engineFolder(folder), [Symbol.dispose]: () => undefined }, key);
  const random = randomFrom(1);
  const vocabulary = vocabularyOf(random);
  storeHistory(cache, sizes.history, random, vocabulary);
  const chat = (conversationId: number, sender: string, count: number): StoredChat => {
    const messages = [...historyOf(count, random, vocabulary)].map((message) => ({
      ...message,
      hasFile: false,
    }));
    const newest = `The newest of ${count} stored messages.`;
    storeChat(cache, conversationId, sender, [
      ...messages.slice(1),
      { chat: 0, author: 0, text: newest, hasFile: false },
    ]);
    return { id: String(conversationId), newest };
  };
  const large = chat(Number(largeId), contact, sizes.large);
  const small = chat(cache.chatWith(OTHER_PERSON), personAddress(OTHER_PERSON), sizes.small);
  indexInSlices(cache);
  return { large, small };
}
