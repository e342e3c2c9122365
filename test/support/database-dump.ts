/**
 * Everything that a relay keeps, as text: to show that a refused call changed nothing.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';

/** Written by calls that change nothing else: times of use, and temporary logins. */
const PASSING = new Set(['challenge', 'renewal']);

/** Every row of every table, except for sessions and times of use. */
export function dumpDatabase(folder: string): string {
  const database = new Database(join(folder, 'relay.db'), { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    return tables
      .filter(({ name }) => !PASSING.has(name))
      .map(({ name }) => {
        const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all();
        const kept = rows.filter((row) => name !== 'credential' || row.type !== 'session').map(textOf);
        return [name, ...kept].join('\n');
      })
      .join('\n\n');
  } finally {
    database.close();
  }
}

/** A row as text. Bytes as digits: as JSON they are a number each, which needs most of the time of a whole test. */
function textOf(row: Record<string, unknown>): string {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    name === 'last_used_at' ? null : Buffer.isBuffer(value) ? value.toString('hex') : value,
  ]);
  return JSON.stringify(columns);
}
