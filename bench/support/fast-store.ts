/** Fast storing of whole histories: without waiting for the disk, and with much memory. */
import type { Cache } from '../../src/engine/cache/database.ts';

/** Messages in one transaction: pages of the indexes are written once for many of them. */
export const AT_ONCE = 25_000;
const FAST = ['synchronous = OFF', 'cache_size = -400000', 'wal_autocheckpoint = 100000'];

/** Runs the storing of a history. Afterwards the cache has its usual settings and an empty log. */
export function storingFast<T>(db: Cache, store: () => T): T {
  const usual = FAST.map((pragma) => {
    const [name = ''] = pragma.split(' ');
    return `${name} = ${db.pragma(name, { simple: true })}`;
  });
  for (const pragma of FAST) db.pragma(pragma);
  const result = store();
  for (const pragma of [...usual, 'wal_checkpoint(TRUNCATE)', 'shrink_memory']) db.pragma(pragma);
  return result;
}
