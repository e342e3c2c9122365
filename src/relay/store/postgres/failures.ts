/**
 * What became of a statement that failed.
 */
import pg from 'pg';
import { StoreUnavailable } from '../records.ts';

/** Another transaction was in the way: the same one may succeed. A unique value that came meanwhile is one of them. */
const REPEATABLE = new Set(['40001', '40P01', '23505']);
/** The connection is lost, the server stops or is no primary (any more), or it has no room. */
const UNAVAILABLE = /^(?:08|25006|53|57P|58)/;

export function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.has(error.code ?? '');
}

/**
 * An error without what stood in the statement: the server's own message may name values.
 * @returns StoreUnavailable where the database cannot be used now
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'unknown';
    const where = [error.table, error.constraint].filter(Boolean).join(' ');
    const reason = `PostgreSQL ${code}${where === '' ? '' : ` (${where})`}`;
    if (UNAVAILABLE.test(code) || isRepeatable(error)) return new StoreUnavailable(reason);
    return new Error(reason);
  }
  return isConnectionLost(error) ? new StoreUnavailable(`PostgreSQL: ${reasonOf(error)}`) : error;
}

function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^E[A-Z]+$/.test(String(error.code))) return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/.test(
    error.message,
  );
}

function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
