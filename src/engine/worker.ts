/**
 * The engine's thread.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { failureFrom, RelayUnreachable } from '../base/failure.ts';
import { log, logTo, stopwatch, toFailure } from '../base/log.ts';
import { wrapForRecovery } from '../base/node/recovery-wrap.ts';
import { leaveBy } from '../client/way-out.ts';
import { openCache } from './cache/database.ts';
import { Engine } from './engine.ts';
import type { EngineFunctions, EngineListeners, EngineWorkerData } from './start.ts';

const port = parentPort;
if (!port) throw new Error('engine/worker.ts runs in a worker thread');

let engine: Engine | null = null;

const host = createBirpc<EngineListeners, EngineFunctions>(
  {
    async call(name, input) {
      if (!engine) return { ok: false, failure: { code: 'starting', parameters: {} } };
      return engine.call(name, input);
    },
    async recoverySecret() {
      return engine?.recoverySecret() ?? { ok: false, failure: { code: 'starting', parameters: {} } };
    },
    async inboxAccess() {
      return engine?.inboxAccess() ?? null;
    },
    async setReceipts(settings) {
      engine?.setReceipts(settings);
    },
    async close() {
      await engine?.close();
      databaseKey.fill(0);
    },
  },
  {
    post: (message) => port.postMessage(message),
    on: (listener) => port.on('message', listener),
    eventNames: ['event', 'log', 'recoveryWrap', 'started', 'failed'],
  },
);

logTo((record) => void host.log(record));
leaveBy({
  async findProxy(origin) {
    const answer = await host.proxyFor(origin);
    if (answer.ok) return answer.value;
    const { failure } = answer;
    if (failure.code === 'proxy_malformed') throw new RelayUnreachable(failure.code, failure.parameters);
    if (failure.code === 'proxy_unsupported') throw new RelayUnreachable(failure.code);
    throw failureFrom(failure);
  },
  trustsSystem: true,
});
const ms = stopwatch();

const { dataDirectory, databaseKey, relays, receipts, sealingWorker, wantsRecoveryWrap } =
  workerData as EngineWorkerData;
try {
  const db = openCache(dataDirectory, databaseKey);
  const onIdentity = (walletKey: Uint8Array) => {
    if (wantsRecoveryWrap) void host.recoveryWrap(wrapForRecovery(databaseKey, walletKey));
  };
  const settings = { sealingWorker: new URL(sealingWorker), relays, receipts, onIdentity };
  try {
    engine = new Engine(db, settings, (name, payload) => void host.event(name, payload));
  } catch (error) {
    db.close();
    throw error;
  }
  log('info', 'engine.started', { ms: ms() });
  await host.started();
} catch (error) {
  await host.failed(toFailure(error).data);
}
