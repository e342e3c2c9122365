/**
 * A thread of the sealing pool.
 */
import { parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { prepareRandomness, type SealingFunctions, sealingFunctions } from './jobs.ts';

const port = parentPort;
if (!port) throw new Error('sealing/worker.ts runs in a worker thread');

const IDLE_MILLISECONDS = 50;
let idle: NodeJS.Timeout | undefined;

/** Fills the store of ephemeral keys one by one, and pauses for incoming jobs. */
function whenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(function prepare() {
    if (prepareRandomness()) idle = setTimeout(prepare, 0);
  }, IDLE_MILLISECONDS);
}

createBirpc<Record<string, never>, SealingFunctions>(sealingFunctions, {
  post: (message) => {
    port.postMessage(message);
    whenIdle();
  },
  on: (listener) => port.on('message', listener),
});
whenIdle();
