/**
 * The store's threads as they are, but the reading thread begins only when a file named `go` stands beside the database:
 * so a test decides for how long a long read waits.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const { path, readsOnly = false } = workerData as { path: string; readsOnly?: boolean };
while (readsOnly && !existsSync(join(dirname(path), 'go'))) await sleep(10);
await import('../../src/relay/store/sqlite/worker.ts');
