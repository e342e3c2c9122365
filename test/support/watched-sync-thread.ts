/**
 * The store's writer on a disk that a test watches. Each sync of the log first copies the database and its log to a folder
 * `disk N`, and writes N into the file `synced` after it: the state that a power cut would leave. A sync waits as long
 * as a file `wait` exists, and fails if a file `broken` exists.
 */
import { copyFileSync, existsSync, default as fs, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const { path } = workerData as { path: string };
const folder = dirname(path);
const has = (name: string) => existsSync(join(folder, name));
const { fdatasync } = fs;
let syncs = 0;

async function watched(file: number, done: (error: Error | null) => void): Promise<void> {
  syncs += 1;
  const disk = join(folder, `disk ${syncs}`);
  mkdirSync(disk);
  for (const name of ['relay.db', 'relay.db-wal']) copyFileSync(join(folder, name), join(disk, name));
  while (has('wait')) await sleep(5);
  if (has('broken')) {
    done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    return;
  }
  const number = syncs;
  fdatasync(file, (error) => {
    writeFileSync(join(folder, 'synced.new'), String(number));
    renameSync(join(folder, 'synced.new'), join(folder, 'synced'));
    done(error);
  });
}

Object.assign(fs, {
  fdatasync(...parameters: Parameters<typeof watched>) {
    void watched(...parameters);
  },
});
syncBuiltinESMExports();
await import('../../src/relay/store/sqlite/worker.ts');
