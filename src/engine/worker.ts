/**
 * The engine's thread.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { log, logTo, stopwatch } from '../base/log.ts';
import { wrapForRecovery } from '../base/node/recovery-wrap.ts';
import { postTogether } from '../base/post-together.ts';
import type { Answer } from '../bridge/failure.ts';
import type { MigrationProgress } from '../bridge/shapes/lock-state.ts';
import { type FindProxy, leaveBy } from '../client/way-out.ts';
import { failureOf } from './answer.ts';
import { openCacheInTurns } from './cache/database.ts';
import { Engine } from './engine.ts';
import { proxyIn } from './proxy-answer.ts';
import type { EngineFunctions, EngineListeners, EngineWorkerData } from './start.ts';

const port = parentPort;
if (!port) throw new Error('engine/worker.ts runs in a worker thread');

const STARTING: Answer<never> = { ok: false, failure: { code: 'starting', parameters: {} } };

let engine: Engine | null = null;
const closing = new AbortController();

const posting = postTogether((messages) => port.postMessage(messages));
// Records of the log before a fault are in the last list.
process.once('exit', posting.flush);

const host = createBirpc<EngineListeners, EngineFunctions>(
  {
    async call(name, input) {
      if (!engine) return STARTING;
      return engine.call(name, input);
    },
    async recoverySecret() {
      return engine?.recoverySecret() ?? STARTING;
    },
    async inboxAccess() {
      return engine?.inboxAccess() ?? null;
    },
    writeFile: async (address, offset, bytes) => engine?.writeFile(address, offset, bytes) ?? STARTING,
    readFile: async (address, offset, length) => engine?.readFile(address, offset, length) ?? STARTING,
    describeFile: async (place) => engine?.describeFile(place) ?? STARTING,
    exportFile: async (place, target) => engine?.exportFile(place, target) ?? STARTING,
    makeBackup: async (target, choice) => engine?.makeBackup(target, choice) ?? STARTING,
    restoreBackup: async (path, typed) => engine?.restoreBackup(path, typed) ?? STARTING,
    setBackupFolder: async (parent, choice) => engine?.setBackupFolder(parent, choice) ?? STARTING,
    async setReceipts(settings) {
      engine?.setReceipts(settings);
    },
    async setFiles(settings) {
      engine?.setFiles(settings);
    },
    async close() {
      closing.abort();
      await starting;
      await engine?.close();
      databaseKey.fill(0);
    },
  },
  {
    post: posting.add,
    on: (listener) => port.on('message', listener),
    // A busy host answers late.
    timeout: -1,
    eventNames: ['event', 'log', 'recoveryWrap', 'started', 'failed'],
  },
);

logTo((record) => void host.log(record));
const findProxy: FindProxy = async (origin) => proxyIn(await host.proxyFor(origin));
leaveBy({ findProxy, trustsSystem: true });
const ms = stopwatch();

const {
  dataDirectory,
  databaseKey,
  relays,
  receipts,
  files,
  sealingWorker,
  fileWorker,
  wantsRecoveryWrap,
  stuckThreads,
} = workerData as EngineWorkerData;

/** The start, or its failure as reported to the host. */
const starting = start().catch((error) => host.failed(failureOf(error)));

async function start(): Promise<void> {
  let reported = -1;
  const onProgress = async (progress: MigrationProgress) => {
    const percent = Math.floor((progress.done / progress.total) * 100);
    if (percent === reported) return;
    reported = percent;
    await host.updated(progress);
  };
  const db = await openCacheInTurns(dataDirectory, databaseKey, onProgress, closing.signal);
  if (!db) return;
  const onIdentity = (walletKey: Uint8Array) => {
    if (wantsRecoveryWrap) void host.recoveryWrap(wrapForRecovery(databaseKey, walletKey));
  };
  const settings = {
    ...{ sealingWorker: new URL(sealingWorker), fileWorker: new URL(fileWorker) },
    ...{ relays, receipts, files, onIdentity, findProxy, stuckThreads },
  };
  try {
    engine = new Engine(db, settings, (name, payload) => void host.event(name, payload));
  } catch (error) {
    db.close();
    throw error;
  }
  log('info', 'engine.started', { ms: ms() });
  await host.started();
}
