/** A chat of two people with engines, for tests of files: ben has accepted ann. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageFile } from '../../src/bridge/files.ts';
import type { Message } from '../../src/bridge/shapes/message.ts';
import { type Callable, callEngine, eventually, openChat, setUp } from './engine.ts';
import { type FileEngine, readWhole } from './files.ts';
import { LocalEngine } from './local-engine.ts';

/** Reports whether a request reads the bytes of a blob. */
export const isDownload = (path: string, method: string) => method === 'GET' && path.includes('/blobs/');

/** Messages of the newest conversation, oldest first. */
export async function newestMessages(engine: Callable): Promise<Message[]> {
  const [conversation] = await callEngine(engine, 'conversations.list', {});
  if (!conversation) return [];
  return (await callEngine(engine, 'messages.list', { conversationId: conversation.id, limit: 50 })).messages;
}

/** Names in the folder of files. */
export function namesOnDisk(engine: FileEngine): string[] {
  try {
    return readdirSync(join(engine.folder.path, 'files')).sort();
  } catch {
    return [];
  }
}

interface ChatEngine extends FileEngine, AsyncDisposable {
  start(): Promise<unknown>;
}

export class FileChat<E extends ChatEngine = LocalEngine> {
  readonly ann: E;
  readonly ben: E;
  /** Ann's chat with ben. */
  chat = '';
  readonly #resources = new AsyncDisposableStack();

  constructor(ann: E, ben: E) {
    this.ann = this.#resources.use(ann);
    this.ben = this.#resources.use(ben);
  }

  static async start(relay: string): Promise<FileChat> {
    return new FileChat(new LocalEngine(relay), new LocalEngine(relay)).start();
  }

  async start(): Promise<this> {
    await Promise.all([this.ann.start(), this.ben.start()]);
    await setUp(this.ann, 'ann');
    await setUp(this.ben, 'ben');
    this.chat = (await openChat(this.ann, 'ben')).id;
    await callEngine(this.ann, 'messages.send', { conversationId: this.chat, text: 'Hello' });
    await eventually(
      () => newestMessages(this.ben),
      ({ length }) => length === 1,
    );
    const [request] = await callEngine(this.ben, 'conversations.list', {});
    await callEngine(this.ben, 'conversations.accept', { id: request?.id ?? '' });
    return this;
  }

  /** The newest message of a person, once its file has the expected state. */
  async newest(
    engine: Callable,
    matches: (file: MessageFile, message: Message) => boolean,
  ): Promise<Message> {
    const all = await eventually(
      () => newestMessages(engine),
      (found) => {
        const last = found.at(-1);
        return last?.files[0] !== undefined && matches(last.files[0], last);
      },
    );
    const last = all.at(-1);
    if (!last) throw new Error('a message that was just there is gone');
    return last;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** The bytes of a file of a message. */
export async function bytesOf(engine: FileEngine, messageId: string, index = 0): Promise<Buffer> {
  const { path } = await callEngine(engine, 'files.open', { messageId, index });
  return Buffer.from(await readWhole(engine.handle, path));
}
