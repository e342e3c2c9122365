/** A newcomer's default relay: a relay on this computer and its contact @echo, in their own thread. */

import { Worker } from 'node:worker_threads';
import { describe } from '../base/error-facts.ts';
import { Failure, type FailureData, failureFrom } from '../base/failure.ts';
import { log } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';

export interface EmbeddedOptions {
  /** Created with mode 0700; contains the databases of relay and @echo, and the last port. */
  dataDirectory: string;
  /** The worker entries: the sources by default; a bundling host passes its bundles. */
  workers?: { embedded: URL; store: URL };
}

export interface EmbeddedWorkerData {
  dataDirectory: string;
  storeWorker: string;
}

/** Messages of the worker. */
export type EmbeddedMessage =
  | { kind: 'started'; url: string }
  | { kind: 'failed'; failure: FailureData }
  | { kind: 'log'; record: LogRecord }
  | { kind: 'closed' };

export interface EmbeddedRelay {
  /** Base URL, on the loopback address. */
  readonly url: string;
  /** Resolves when the thread ends: with null after {@link close}, with a failure after an error. */
  readonly ended: Promise<Failure | null>;
  close(): Promise<void>;
}

/**
 * Starts the embedded relay and @echo.
 * @throws Failure
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
  const ended = Promise.withResolvers<Failure | null>();
  let closing = false;
  worker.on('message', (message: EmbeddedMessage) => {
    if (message.kind === 'started') started.resolve(message.url);
    if (message.kind === 'failed') started.reject(failureFrom(message.failure));
    if (message.kind === 'log') {
      const { level, event, ...facts } = message.record;
      log(level, event, facts);
    }
    if (message.kind === 'closed') closed.resolve();
  });
  const gone = () => {
    const failure = new Failure('relay_here_stopped');
    started.reject(failure);
    closed.resolve();
    ended.resolve(closing ? null : failure);
  };
  worker.once('error', (error) => {
    log('error', 'embedded.stopped', describe(error));
    gone();
  });
  worker.once('exit', gone);

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
