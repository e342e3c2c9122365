/** The file thread of an engine on a disk that a test fills: each write then fails as on a full one. */
import { type FileHandle, open } from 'node:fs/promises';
import { BroadcastChannel } from 'node:worker_threads';

const handle = await open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
let isFull = false;
const channel = new BroadcastChannel('full disk');
channel.onmessage = (event) => {
  const { data } = event as { data: unknown };
  if (typeof data !== 'boolean') return;
  isFull = data;
  channel.postMessage('done');
};
channel.unref();

for (const name of ['write', 'writeFile'] as const) {
  const write = prototype[name] as (...parameters: unknown[]) => Promise<unknown>;
  Object.assign(prototype, {
    [name](this: FileHandle, ...parameters: unknown[]) {
      if (!isFull) return write.apply(this, parameters);
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
    },
  });
}
await import('../../src/engine/files/worker.ts');
