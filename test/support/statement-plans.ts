/** The plans of statements while they run: which tables are read as a whole, and which by an index. */
import type { Cache } from '../../src/engine/cache/database.ts';

export interface PlannedStatement {
  sql: string;
  /** Steps of the plan: https://sqlite.org/eqp.html */
  steps: string[];
}

/** Statements that run during some work, with their plans for the same values. */
export function plansOf(db: Cache, work: () => void): PlannedStatement[] {
  const found: PlannedStatement[] = [];
  const { prepare } = db;
  db.prepare = ((sql: string) =>
    new Proxy(prepare(sql), {
      get(statement, name) {
        const value = Reflect.get(statement, name, statement);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]) => {
          if (['all', 'get', 'iterate', 'run'].includes(String(name))) {
            const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`) as unknown as {
              all(...values: unknown[]): { detail: string }[];
            };
            const steps = plan.all(...values).map(({ detail }) => detail);
            found.push({ sql: sql.replace(/\s+/g, ' ').trim(), steps });
          }
          return value.apply(statement, values);
        };
      },
    })) as typeof db.prepare;
  try {
    work();
  } finally {
    db.prepare = prepare;
  }
  return found;
}
