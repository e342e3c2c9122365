/**
 * Memory in use, measured after garbage collection.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes on the heap that are still referenced. */
export function retainedBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
