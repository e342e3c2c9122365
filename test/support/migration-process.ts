/**
 * Opens a cache with two more migrations, and prints a line for each slice. It is killed, or kills itself before one of its
 * statements. Arguments: folder, key as hex, the slice after which it waits to be killed, and the number of the statement; 0 for none.
 */
import Database from 'better-sqlite3-multiple-ciphers';
import { openCacheInTurns } from '../../src/engine/cache/database.ts';
import { addCountingMigration, addMigration, indexMigration } from './counting-migration.ts';

const [folder = '', key = '', slice = '0', statement = '0'] = process.argv.slice(2);
addCountingMigration();
addMigration(indexMigration);
let [slices, statements] = [0, 0];

/** Ends without any code that would run at an end. */
function countStatement(): void {
  statements += 1;
  if (statements === Number(statement)) process.kill(process.pid, 'SIGKILL');
}

const { exec, prepare } = Database.prototype;
Database.prototype.exec = function (this: Database.Database, sql: string) {
  countStatement();
  return exec.call(this, sql);
};
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  countStatement();
  const made = prepare.call(this, sql) as Database.Statement<unknown[]>;
  const run = made.run.bind(made);
  made.run = (...values) => {
    countStatement();
    return run(...values);
  };
  return made;
} as typeof prepare;

const db = await openCacheInTurns(
  folder,
  Buffer.from(key, 'hex'),
  async (progress) => {
    console.log(JSON.stringify(progress));
    slices += 1;
    // Its open input keeps it running until it is killed.
    if (slices === Number(slice)) await new Promise(() => process.stdin.resume());
  },
  new AbortController().signal,
);
db?.close();
console.log(JSON.stringify({ statements }));
