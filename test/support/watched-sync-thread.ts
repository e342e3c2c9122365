/**
 * The store's writer on a disk that a test watches. Each sync of the log first copies the database and its log to a folder
 * `disk N`, and writes N into the file `synced` after it: the state that a power cut would leave. A sync waits as long
 * as a file `wait` exists, and fails if a file `broken` exists.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const { path } = workerData as { path: string };
const folder = dirname(path);
const has = (name: string) => existsSync(join(folder, name));
let syncs = 0;

const file = await open(folder, 'r');
const handles = Object.getPrototypeOf(file) as FileHandle;
await file.close();
const { datasync } = handles;

handles.datasync = async function (this: FileHandle): Promise<void> {
  syncs += 1;
  const number = syncs;
  const disk = join(folder, `disk ${number}`);
  mkdirSync(disk);
  for (const name of ['relay.db', 'relay.db-wal']) copyFileSync(join(folder, name), join(disk, name));
  while (has('wait')) await sleep(5);
  if (has('broken'))
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
  await datasync.call(this);
  writeFileSync(join(folder, 'synced.new'), String(number));
  renameSync(join(folder, 'synced.new'), join(folder, 'synced'));
};
await import('../../src/relay/store/sqlite/worker.ts');
