/**
 * The thread of the embedded relay and @echo.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../base/failure.ts';
import { log, logTo, stopwatch, toFailure } from '../base/log.ts';
import { startRelay } from '../relay/index.ts';
import { OperatorFailure } from '../relay/operator/failure.ts';
import { ECHO, openEchoIdentity, startEcho } from './echo.ts';
import { lastPort, rememberPort } from './port.ts';
import { relayLogger } from './relay-log.ts';
import type { EmbeddedMessage, EmbeddedWorkerData } from './start.ts';

const port = parentPort;
if (!port) throw new Error('embedded/worker.ts runs in a worker thread');
const post = (message: EmbeddedMessage) => port.postMessage(message);
const { dataDirectory, storeWorker } = workerData as EmbeddedWorkerData;

/** @param onBroken called if the database fails: from then on the relay refuses everything that it would store */
async function start(onBroken: () => void): Promise<() => Promise<void>> {
  const ms = stopwatch();
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const identity = openEchoIdentity(join(dataDirectory, 'echo'));
  const relay = await startRelay({
    dataDirectory: join(dataDirectory, 'relay'),
    // The last port if it is free, so that a noted address stays valid.
    port: await lastPort(dataDirectory),
    logger: relayLogger(),
    onBroken,
    handleOwners: { [ECHO]: identity.address },
    workers: { store: new URL(storeWorker) },
  });
  rememberPort(dataDirectory, relay.port);
  try {
    const echo = await startEcho(identity, relay.url);
    log('info', 'embedded.started', { ms: ms() });
    post({ kind: 'started', url: relay.url });
    return async () => {
      await echo.close();
      await relay.close();
    };
  } catch (error) {
    await relay.close();
    throw error;
  }
}

/**
 * Starts with a new database if the last one was removed: it had only what waited for this computer, and without a relay the app would
 * not open the messages that are stored here.
 */
async function startOrBeginAnew(onBroken: () => void): Promise<() => Promise<void>> {
  try {
    return await start(onBroken);
  } catch (error) {
    if (!(error instanceof OperatorFailure) || error.data.reason !== 'database_lost') throw error;
    log('warn', 'embedded.database_lost');
    rmSync(error.data.parameters.note);
    return start(onBroken);
  }
}

logTo((record) => post({ kind: 'log', record }));
try {
  const broken = Promise.withResolvers<void>();
  const close = await startOrBeginAnew(broken.resolve);
  port.once('message', () => {
    void close().finally(() => post({ kind: 'closed' }));
  });
  // The host reports the end of the thread. The next start names the fault of the database, if it remains.
  void broken.promise.then(close).finally(() => process.exit());
} catch (error) {
  const failure =
    error instanceof OperatorFailure
      ? new Failure('relay_here_unusable', { problem: error.message })
      : toFailure(error);
  post({ kind: 'failed', failure: failure.data });
}
