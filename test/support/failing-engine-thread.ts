/** The engine's thread, with a fault of this program at the first call, and a record of the log just before. */
import { parentPort } from 'node:worker_threads';
import { log } from '../../src/base/log.ts';

await import('../../src/engine/worker.ts');
parentPort?.once('message', () => {
  log('error', 'test.before_fault');
  throw new Error('a fault');
});
