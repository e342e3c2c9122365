/**
 * The writer thread of a store on a file, whose transactions fail while there is a file `fails` beside the database. Its text is the
 * reason: `full` for a disk without room, `commit` for a constraint that SQLite checks at the end of a transaction.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';

const TABLES = `
CREATE TEMP TABLE IF NOT EXISTS parent (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);`;

function reasonOf({ name }: Database.Database): string {
  const file = join(dirname(name), 'fails');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Called before a statement runs. */
const before: Record<string, (database: Database.Database) => void> = {
  'BEGIN IMMEDIATE': (database) => {
    // A database is never smaller than its pages: https://sqlite.org/pragma.html#pragma_max_page_count
    database.pragma(`max_page_count = ${reasonOf(database) === 'full' ? 1 : 2 ** 30}`);
    database.exec(TABLES);
  },
  COMMIT: (database) => {
    if (reasonOf(database) === 'commit') database.exec('INSERT INTO temp.child VALUES (1)');
  },
};

const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, source: string) {
  const statement = prepare.call(this, source);
  const work = before[source];
  if (!work) return statement;
  const run = statement.run.bind(statement) as () => Database.RunResult;
  statement.run = () => {
    work(this);
    return run();
  };
  return statement;
} as typeof prepare;
await import('../../src/relay/store/sqlite/worker.ts');
