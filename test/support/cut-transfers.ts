/** Transfers of a file that are cut after some of their bytes, and their outcome for both people. */
import { createHash, randomBytes } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { expect } from 'vitest';
import { blobLayout } from '../../src/protocol/blob/layout.ts';
import { type Callable, callEngine, eventually } from './engine.ts';
import { bytesOf, FileChat, namesOnDisk, newestMessages } from './file-chat.ts';
import { type FileEngine, sendFiles } from './files.ts';
import { LocalEngine } from './local-engine.ts';
import { MeteredLink } from './metered-link.ts';
import { ROOMY_RATES } from './rates.ts';
import { TestRelay } from './relay.ts';
import { storedFiles } from './test-blob.ts';

const SIZE = 2_000_000;
const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };
/** Seed of the places within a tenth. */
const SEED = 30;
export const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

/** Number of bytes after which a transfer is cut. */
function placeIn(tenth: number, direction: string): number {
  const [part = 0] = createHash('sha256').update(`${SEED} ${direction} ${tenth}`).digest();
  return Math.floor(((tenth + part / 256) / 10) * blobLayout(SIZE).length) + 1;
}

/** An engine whose file thread a test can end. */
export class LocalEngineWithEnd extends LocalEngine {
  override fileWorker = new URL('./ending-file-thread.ts', import.meta.url);
}

/** Ends the file threads of this process. Resolves when one has ended. */
export async function endFileThreads(): Promise<void> {
  const channel = new BroadcastChannel('end of file threads');
  const ended = new Promise((resolve) => {
    channel.onmessage = resolve;
  });
  channel.postMessage('end');
  await ended;
  channel.close();
}

interface CutParts<E> {
  /** Makes an engine. */
  make: (relay: string) => E;
  /** The event during a transfer: its engine or thread ends, or nothing for a cut of the network alone. */
  end: (engine: E) => Promise<void>;
  /** Called after the cut. */
  restart?: (engine: E) => Promise<unknown>;
}

/** Waits for the state of a file at ben, while the engine of the transfer retries at once. @returns the id of its message */
async function arrival(
  { ben }: { ben: Callable },
  retries: Callable,
  caption: string,
  expected: 'remote' | 'here',
): Promise<string> {
  const newest = await eventually(
    async () => {
      await callEngine(retries, 'connection.retry', {});
      return (await newestMessages(ben)).at(-1);
    },
    (message) => message?.text === caption && message.files[0]?.state === expected,
  );
  return newest?.id ?? '';
}

type CutEngine = FileEngine & AsyncDisposable & { start(): Promise<unknown> };

/** Cuts an upload and a download of one file in each tenth. Each file must arrive once. */
export async function cutAtTenths<E extends CutEngine>(
  { make, end, restart }: CutParts<E>,
  tenths: readonly number[],
): Promise<void> {
  await using link = await MeteredLink.start();
  await using relay = await new TestRelay({
    publicUrl: link.url,
    limits: { rates: ROOMY_RATES },
  }).start();
  link.target = relay.running.port;
  await using people = await new FileChat(make(link.url), make(link.url)).start();
  const { ann, ben, chat } = people;
  const cut = async (engine: E) => {
    await end(engine);
    link.cut();
    await restart?.(engine);
  };
  for (const [sent, tenth] of tenths.entries()) {
    const caption = `Tenth ${tenth}`;
    const bytes = randomBytes(SIZE);
    const uploaded = link.pauseAfter('up', placeIn(tenth, 'up'));
    await sendFiles(ann, chat, [{ bytes, ...PDF }], caption);
    await uploaded;
    await cut(ann);
    const id = await arrival(people, ann, caption, 'remote');
    const downloaded = link.pauseAfter('down', placeIn(tenth, 'down'));
    await callEngine(ben, 'files.download', { messageId: id, index: 0 });
    await downloaded;
    await cut(ben);
    await arrival(people, ben, caption, 'here');
    expect((await bytesOf(ben, id)).equals(bytes), caption).toBe(true);
    for (const engine of [ann, ben]) {
      const texts = (await newestMessages(engine)).map(({ text }) => text);
      expect(texts.filter((text) => text === caption)).toEqual([caption]);
      const names = await eventually(
        async () => namesOnDisk(engine),
        ({ length }) => length === sent + 1,
      );
      expect(names.filter((name) => !/^\d+$/.test(name))).toEqual([]);
    }
    await eventually(
      async () => storedFiles(relay),
      ({ length }) => length === sent + 1,
    );
  }
}
