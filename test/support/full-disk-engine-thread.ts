/** The engine's thread on a full disk: SQLite can change nothing. */
import Database from 'better-sqlite3-multiple-ciphers';

Database.prototype.exec = () => {
  throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
};
await import('../../src/engine/worker.ts');
