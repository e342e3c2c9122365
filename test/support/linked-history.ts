/** Two people with a history, and a computer that one of them links: for tests of its history. */
import { randomBytes } from 'node:crypto';
import type { Limits } from '../../src/protocol/limits.ts';
import { type Callable, callEngine, eventually, linkEngines } from './engine.ts';
import { FileChat } from './file-chat.ts';
import { type FileEngine, readWhole, sendFiles } from './files.ts';
import { CuttingProxy } from './proxy.ts';
import { ROOMY_RATES } from './rates.ts';
import { TestRelay } from './relay.ts';

/** A limit of the relay that makes many parts of a few messages. */
export const SMALL_BLOBS = 256 * 1024;

/** Default number of long messages. */
const TEXTS = 24;

export interface HistoryWorldOptions {
  /** Limits of the relay, beside those of rates and of a blob. */
  limits?: Partial<Limits>;
  /** Number of long messages, of 12 kB each. */
  texts?: number;
}

/** All texts and names of files that a computer has, oldest first. */
export async function contentsOf(engine: Callable): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of await callEngine(engine, 'conversations.list', {})) {
    const { messages } = await callEngine(engine, 'messages.list', { conversationId: id, limit: 200 });
    for (const { text, files } of messages) found.push(text ?? files.map(({ name }) => name).join());
  }
  return found;
}

/** Waits until the history of a linked computer is complete. */
export async function untilComplete(engine: Callable): Promise<void> {
  await eventually(
    async () => (await callEngine(engine, 'history.get', {})).receiving,
    (receiving) => receiving?.state === 'complete',
  );
}

/** The file of the message that has one, if its bytes are on this computer. */
export async function fileOf(engine: FileEngine): Promise<Buffer | null> {
  for (const { id } of await callEngine(engine, 'conversations.list', {})) {
    const { messages } = await callEngine(engine, 'messages.list', { conversationId: id, limit: 200 });
    for (const { id: messageId, files } of messages) {
      if (files[0]?.state !== 'here') continue;
      const { path } = await callEngine(engine, 'files.open', { messageId, index: 0 });
      return Buffer.from(await readWhole(engine.handle, path));
    }
  }
  return null;
}

/** The relay's parts of histories and other blobs. */
export const isBlob = (path: string) => path.includes('/blobs/');

interface Startable extends FileEngine, AsyncDisposable {
  start(): Promise<unknown>;
}

/** Ann's laptop with a history of texts and one file, behind a proxy to the relay, and a computer that is not set up. */
export class HistoryWorld<E extends Startable> implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly proxy: CuttingProxy;
  readonly relay: TestRelay;
  readonly people: FileChat<E>;
  readonly desktop: E;
  readonly bytes = randomBytes(150_000);

  private constructor(proxy: CuttingProxy, relay: TestRelay, make: (url: string) => E) {
    this.proxy = this.#resources.use(proxy);
    this.relay = this.#resources.use(relay);
    this.people = this.#resources.use(new FileChat(make(proxy.url), make(proxy.url)));
    this.desktop = this.#resources.use(make(proxy.url));
  }

  /** @param make a computer at a relay */
  static async start<E extends Startable>(
    make: (url: string) => E,
    { limits: others = {}, texts = TEXTS }: HistoryWorldOptions = {},
  ): Promise<HistoryWorld<E>> {
    const limits = { rates: ROOMY_RATES, blobBytes: SMALL_BLOBS, ...others };
    const proxy = await new CuttingProxy().start();
    const relay = await new TestRelay({ publicUrl: proxy.url, limits }).start();
    proxy.target = relay.url;
    const world = new HistoryWorld(proxy, relay, make);
    await world.#fill(texts);
    return world;
  }

  async #fill(texts: number): Promise<void> {
    await this.desktop.start();
    const { ann, chat } = await this.people.start();
    await sendFiles(ann, chat, [
      { bytes: this.bytes, name: 'bytes.bin', mediaType: 'application/octet-stream' },
    ]);
    for (let index = 0; index < texts; index++) {
      const text = `${index} ${'waxwing '.repeat(1_500)}`.trim();
      await callEngine(ann, 'messages.send', { conversationId: chat, text });
    }
    await eventually(
      async () => (await callEngine(ann, 'connection.get', {})).queued,
      (queued) => queued === 0,
    );
  }

  get laptop(): E {
    return this.people.ann;
  }

  link(withHistory = true): Promise<unknown> {
    return linkEngines(this.laptop, this.desktop, { withHistory });
  }

  /** Number of blobs at the relay. */
  async blobs(): Promise<number> {
    return (await this.relay.rows<object>('SELECT id FROM blob')).length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
