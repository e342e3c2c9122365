/** The memory of the engine's thread. */
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startEngine } from '../../../src/engine/start.ts';
import { temporaryFolder } from '../../support/engine.ts';

test('the memory for new objects in the thread of the engine is bounded', async () => {
  using data = temporaryFolder();
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  try {
    const relays = { embedded: null, fixed: null };
    const engine = await startEngine({
      ...{ dataDirectory: data.path, databaseKey: new Uint8Array(32).fill(3), relays },
    });
    const [limits] = workers.map(({ resourceLimits }) => resourceLimits);
    await engine.close();
    expect(limits?.maxYoungGenerationSizeMb).toBe(48);
  } finally {
    process.off('worker', note);
  }
});
