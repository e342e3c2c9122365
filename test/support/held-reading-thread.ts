/**
 * The store's threads, except that the reading thread starts only after a file named `go` exists beside the
 * database. So a test decides how long a long read waits.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { StoreThreadData } from '../../src/relay/store/sqlite/worker.ts';

const { path, role } = workerData as StoreThreadData;
while (role === 'long reads' && !existsSync(join(dirname(path), 'go'))) await sleep(10);
await import('../../src/relay/store/sqlite/worker.ts');
