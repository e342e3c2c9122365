/**
 * Counts the rows that SQLite visits for statements, so that growth is a number that is the same on every
 * machine.
 */
import type { Database as Sqlite } from 'better-sqlite3-multiple-ciphers';
import type { Database } from '../../src/relay/store/sql/database.ts';
import { asSql } from '../../src/relay/store/sqlite/database.ts';

export interface VisitedRows {
  /** The same database, with counted reads. */
  database: Database;
  /** Number of rows visited by a function. */
  during(work: () => Promise<unknown>): Promise<number>;
}

/**
 * Replaces each table of a SELECT by a subquery on it with a condition that counts rows; SQLite merges the
 * two. Statements that write stay unchanged.
 */
function counting(sqlite: Sqlite): { counted(sql: string): string; visited(): number } {
  let visited = 0;
  sqlite.function('count_visit', { deterministic: false }, (_column: unknown) => {
    visited++;
    return 1;
  });
  const columns = new Map(
    sqlite
      .prepare<[], { name: string; column: string; sql: string }>(
        `SELECT schema.name, field.name AS column, schema.sql
           FROM sqlite_schema AS schema JOIN pragma_table_info(schema.name) AS field ON cid = 0
          WHERE schema.type IN ('table', 'view') AND schema.name NOT LIKE 'sqlite_%'`,
      )
      .all()
      // A text index returns row numbers only.
      .map(({ name, column, sql }) => [name, /^CREATE VIRTUAL/i.test(sql) ? 'rowid' : column]),
  );
  const named = new RegExp(
    `\\b(FROM|JOIN) (${[...columns.keys()].join('|')})\\b( (?:AS )?[a-z]\\w*)?( INDEXED BY \\w+)?`,
    'g',
  );
  const counted = (sql: string) =>
    /^\s*(?:SELECT|WITH)\b/.test(sql)
      ? sql.replace(named, (_, word: string, table: string, alias: string | undefined, index = '') => {
          const column = columns.get(table);
          const all = column === 'rowid' ? 'rowid, *' : '*';
          const rows = `(SELECT ${all} FROM ${table}${index} WHERE count_visit(${column}))`;
          return `${word} ${rows}${alias ?? ` AS ${table}`}`;
        })
      : sql;
  return { counted, visited: () => visited };
}

/** Counts reads of the returned database. */
export function visitedRows(sqlite: Sqlite): VisitedRows {
  const { counted, visited } = counting(sqlite);
  const database: Database = { prepare: (sql: string) => asSql(sqlite).prepare(counted(sql)) } as Database;
  return {
    database,
    async during(work) {
      const before = visited();
      await work();
      return visited() - before;
    },
  };
}

/** Counts reads by all statements that are prepared from now on. @returns statements and rows of some work */
export function countedRows(sqlite: Sqlite): {
  during(work: () => unknown): [statements: number, rows: number];
} {
  const { counted, visited } = counting(sqlite);
  const prepare = sqlite.prepare.bind(sqlite);
  let statements = 0;
  sqlite.prepare = ((sql: string) => {
    statements++;
    return prepare(counted(sql));
  }) as typeof sqlite.prepare;
  return {
    during(work) {
      const before = { statements, rows: visited() };
      work();
      return [statements - before.statements, visited() - before.rows];
    },
  };
}
