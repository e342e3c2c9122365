/** Opens a cache with one more migration, and prints a line for each slice, until it is killed. Arguments: folder and key as hex. */
import { openCacheInTurns } from '../../src/engine/cache/database.ts';
import { addCountingMigration } from './counting-migration.ts';

addCountingMigration();
const [folder = '', key = ''] = process.argv.slice(2);
const db = await openCacheInTurns(
  folder,
  Buffer.from(key, 'hex'),
  (progress) => console.log(JSON.stringify(progress)),
  new AbortController().signal,
);
db?.close();
console.log('open');
