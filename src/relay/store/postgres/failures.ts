/**
 * What became of a statement that failed.
 */
import pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';
import { StoreUnavailable } from '../records.ts';

/** Another transaction was in the way: the same one may succeed. */
const REPEATABLE = new Set(['40001', '40P01', '55P03']);
/** A value is there that has to be the only one. If it came meanwhile, the next try sees it. */
const UNIQUE = '23505';
/** The connection is lost, the server stops, is no primary (any more), takes too long, knows us no more, or has no room. */
const UNAVAILABLE = /^(?:08|25006|25P03|28|3D|53|57|58)/;

/** Codes that an operator meets while setting up, with what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'the server admits no such user from here: see its pg_hba.conf',
  '28P01': 'the password of this user is wrong, or there is no such user',
  '3D000': 'there is no such database: make it with createdb',
  '42501': 'this user may not make tables here: make it the owner, with ALTER DATABASE … OWNER TO …',
  '53300': 'the server has no connection left: raise its max_connections',
};

/** @param count how often it was tried */
export function isRepeatable(error: unknown, count: number): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return REPEATABLE.has(error.code ?? '') || (error.code === UNIQUE && count <= 2);
}

/**
 * An error without what stood in the statement: the server's own message may name values.
 * @returns StoreUnavailable where the database cannot be used now
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'unknown';
    const where = [error.table, error.constraint].filter(Boolean).join(' ');
    const advice = ADVICE[code];
    const reason = `PostgreSQL ${code}${where === '' ? '' : ` (${where})`}${advice ? `: ${advice}` : ''}`;
    if (UNAVAILABLE.test(code) || REPEATABLE.has(code)) return new StoreUnavailable(reason);
    return new Error(reason);
  }
  if (error instanceof OperatorFailure) return new StoreUnavailable(error.reason);
  if (isPasswordMissing(error))
    return new StoreUnavailable('PostgreSQL: the server asks for a password, and the URL has none that fits');
  return isConnectionLost(error) ? new StoreUnavailable(`PostgreSQL: ${reasonOf(error)}`) : error;
}

/** The client has no password for a server that asks for one. */
function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('SASL:');
}

function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^E[A-Z]+$/.test(String(error.code))) return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout|Cannot use a pool)/.test(
    error.message,
  );
}

function reasonOf(error: Error): string {
  if (!('code' in error)) return error.message;
  // A certificate authority or key of the database's URL.
  const path = 'path' in error && error.code !== 'ECONNREFUSED' ? ` (${error.path})` : '';
  return `${error.code}${path}`;
}
