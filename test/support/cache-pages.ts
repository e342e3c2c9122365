/**
 * The decrypted content of a cache's files, for tests that search for erased words.
 */
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';

/**
 * Every page of a copy of the cache, free ones too, with those of its write-ahead log.
 * @param folder of a cache without writers meanwhile
 */
export function pagesOf(folder: string, key: Uint8Array): string {
  const copy = join(folder, 'copy.db');
  const log = join(folder, 'cache.db-wal');
  copyFileSync(join(folder, 'cache.db'), copy);
  if (existsSync(log)) copyFileSync(log, `${copy}-wal`);
  const db = new Database(copy);
  db.pragma("cipher='chacha20'");
  db.pragma(`key='raw:${Buffer.from(key).toString('hex')}'`);
  db.pragma('journal_mode = DELETE');
  db.pragma("rekey=''");
  db.close();
  const pages = readFileSync(copy, 'latin1');
  for (const each of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(each, { force: true });
  return pages;
}
