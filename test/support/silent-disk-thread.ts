/**
 * The file thread of an engine on a disk that stops answering: while there is a pipe named `silent` in the engine's folder, each
 * write and sync first opens it, and so waits in the system for its writer.
 */
import { existsSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BroadcastChannel, workerData } from 'node:worker_threads';

const pipe = join(dirname((workerData as { folder: string }).folder), 'silent');
const channel = new BroadcastChannel('silent disk');
channel.unref();
const handle = await open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
for (const name of ['writeFile', 'sync'] as const) {
  const work = prototype[name] as (...parameters: unknown[]) => Promise<unknown>;
  Object.assign(prototype, {
    async [name](this: FileHandle, ...parameters: unknown[]) {
      if (existsSync(pipe)) {
        const opened = open(pipe, 'r');
        // Work with files begins in its order. Before its begin the end of the thread would cancel the opening.
        await stat(pipe);
        channel.postMessage('silent');
        await (await opened).close();
      }
      return work.apply(this, parameters);
    },
  });
}
await import('../../src/engine/files/worker.ts');
