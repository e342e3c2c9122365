/** The memory of an engine that sends a large file, and of one that receives it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MAX_BLOB_BYTES } from '../../src/protocol/blob/layout.ts';
import { type Callable, callEngine, eventually, openChat, setUp } from '../../test/support/engine.ts';
import { newestMessages } from '../../test/support/file-chat.ts';
import { startServer } from './process.ts';

/** An engine in its own process, one call after the other. */
class EngineProcess implements Callable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(relay: string) {
    const entry = fileURLToPath(new URL('./file-engine.ts', import.meta.url));
    const child = spawn(process.execPath, [entry, relay], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async call(name: string, input: unknown): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify({ name, input })}\n`);
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error('the engine has ended');
    return JSON.parse(value);
  }

  async peak(): Promise<number> {
    return ((await this.call('peak', {})) as { value: number }).value;
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await gone;
  }
}

/** Growth of both engines by a large file, after a small one, in bytes. */
export async function engineMemory(
  small: number,
  large: number,
): Promise<{ sending: number; receiving: number }> {
  const entry = new URL('./file-relay.ts', import.meta.url);
  const { child, port } = await startServer(entry, String(MAX_BLOB_BYTES));
  const relay = `http://127.0.0.1:${port}`;
  const [ann, ben] = [new EngineProcess(relay), new EngineProcess(relay)];
  try {
    await setUp(ann, 'ann');
    await setUp(ben, 'ben');
    const { id: chat } = await openChat(ann, 'ben');
    const pass = async (size: number) => {
      await ann.call('send', { conversationId: chat, size });
      const newest = (state: string) =>
        eventually(
          async () => (await newestMessages(ben)).at(-1),
          (message) => message?.text === String(size) && message.files[0]?.state === state,
        );
      const place = { messageId: (await newest('remote'))?.id ?? '', index: 0 };
      await callEngine(ben, 'files.download', place);
      await newest('here');
      await ben.call('read', place);
    };
    await pass(small);
    const [annBefore, benBefore] = [await ann.peak(), await ben.peak()];
    await pass(large);
    return { sending: (await ann.peak()) - annBefore, receiving: (await ben.peak()) - benBefore };
  } finally {
    await Promise.all([ann.end(), ben.end()]);
    child.kill();
  }
}
