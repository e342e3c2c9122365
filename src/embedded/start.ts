/**
 * The relay that a newcomer starts with: a relay on this computer and its contact @echo, in a thread of their own.
 */
import { Worker } from 'node:worker_threads';

export interface EmbeddedOptions {
  /** Made with mode 0700; holds the relay's database, @echo's, and the port of last time. */
  dataDirectory: string;
  /** The worker entries: the sources by default; a host that bundles passes what it made of them. */
  workers?: { embedded: URL; store: URL };
}

export interface EmbeddedWorkerData {
  dataDirectory: string;
  storeWorker: string;
}

/** What the worker tells. */
export type EmbeddedMessage =
  | { kind: 'started'; url: string }
  | { kind: 'failed'; sentence: string }
  | { kind: 'closed' };

export interface EmbeddedRelay {
  /** Base URL, on the loopback address. */
  readonly url: string;
  /** Resolves when the thread ends: with null after {@link close}, with a sentence when it broke. */
  readonly ended: Promise<string | null>;
  close(): Promise<void>;
}

/** The embedded relay could not start. The message is a sentence for the person. */
export class EmbeddedStartError extends Error {
  override readonly name = 'EmbeddedStartError';
}

/**
 * Starts the embedded relay and @echo.
 * @throws EmbeddedStartError
 */
export async function startEmbeddedRelay(options: EmbeddedOptions): Promise<EmbeddedRelay> {
  const entries = options.workers ?? {
    embedded: new URL('./worker.ts', import.meta.url),
    store: new URL('../relay/store/sqlite/worker.ts', import.meta.url),
  };
  const workerData: EmbeddedWorkerData = {
    dataDirectory: options.dataDirectory,
    storeWorker: entries.store.href,
  };
  const worker = new Worker(entries.embedded, { workerData });
  const started = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string | null>();
  let closing = false;
  worker.on('message', (message: EmbeddedMessage) => {
    if (message.kind === 'started') started.resolve(message.url);
    if (message.kind === 'failed') started.reject(new EmbeddedStartError(message.sentence));
    if (message.kind === 'closed') closed.resolve();
  });
  const gone = (reason: string) => {
    started.reject(new EmbeddedStartError(reason));
    closed.resolve();
    ended.resolve(closing ? null : reason);
  };
  worker.once('error', (error) => gone(`The relay on this computer stopped: ${error}`));
  worker.once('exit', () => gone('The relay on this computer stopped. Start Waxwing again.'));

  try {
    const url = await started.promise;
    return {
      url,
      ended: ended.promise,
      async close() {
        closing = true;
        worker.postMessage('close');
        await closed.promise;
        await worker.terminate();
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}
