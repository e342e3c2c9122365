/** The tables of a relay's file as found in it, so that a move needs no second list of the schema. */
import type { Database } from '../store/sqlite/database.ts';
import { HASH_INDEX_TABLES } from '../store/sqlite/hash-index.ts';

/** A table to move. */
export interface Table {
  name: string;
  columns: readonly string[];
  /** Columns that identify a row: it is read and written in their order, which is the same in both engines. */
  key: readonly string[];
  /** The highest key ever assigned; null where keys come from elsewhere. */
  lastKey: number | null;
}

interface ColumnInfo {
  name: string;
  /** Its position in the primary key, from 1; 0 outside it. */
  pk: number;
}

/** The relay's tables, each after the tables that it refers to. Without the index of hashes, which PostgreSQL makes for itself. */
export function tablesOf(database: Database): Table[] {
  const names = database
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all()
    .filter((name) => !HASH_INDEX_TABLES.includes(name));
  return inOrder(database, names).map((name) => describe(database, name));
}

function describe(database: Database, name: string): Table {
  const columns = database
    .prepare<[string], ColumnInfo>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
    .all(name);
  const primary = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const key = primary.length > 0 ? primary.map((column) => column.name) : uniqueColumns(database, name);
  return { name, columns: columns.map((column) => column.name), key, lastKey: lastKeyOf(database, name) };
}

/** The columns of the constraint that replaces a primary key. */
function uniqueColumns(database: Database, table: string): string[] {
  const index = database
    .prepare<[string], string>("SELECT name FROM pragma_index_list(?) WHERE origin = 'u'")
    .pluck()
    .get(table);
  if (index === undefined) throw new Error(`nothing names the rows of ${table}`);
  return database
    .prepare<[string], string>('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
    .pluck()
    .all(index);
}

function lastKeyOf(database: Database, table: string): number | null {
  const find = database.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  return find.get(table) ?? null;
}

function inOrder(database: Database, names: readonly string[]): string[] {
  const parents = database
    .prepare<[string], string>('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)')
    .pluck();
  const ordered = new Set<string>();
  const pick = (name: string) => {
    if (ordered.has(name)) return;
    for (const parent of parents.all(name)) if (parent !== name) pick(parent);
    ordered.add(name);
  };
  names.forEach(pick);
  return [...ordered];
}
