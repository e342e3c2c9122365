/** Classification of failed statements. */
import pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';
import { forbiddenByNode } from '../../operator/forbidden.ts';
import { StoreUnavailable } from '../records.ts';

/** A conflict with another transaction: a repetition may succeed. */
const REPEATABLE = new Set(['40001', '40P01', '55P03']);
/** A unique value exists already. If it was inserted meanwhile, the next try sees it. */
const UNIQUE = '23505';
/** The connection is lost, or the server stops, is not a primary, is too slow, refuses the login, or is full. */
const UNAVAILABLE = /^(?:08|25006|25P03|28|3D|53|57|58)/;

/** Error codes of a wrong set-up, with advice for the operator. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'the server admits no such user from here: see its pg_hba.conf',
  '28P01': 'the password of this user is wrong, or there is no such user',
  '3D000': 'there is no such database: make it with createdb',
  '42501': 'this user may not make tables here: make it the owner, with ALTER DATABASE … OWNER TO …',
  '53300': 'the server has no connection left: raise its max_connections',
};

/** The same for the system's codes of a connection. */
const CONNECTION_ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at this host and port: check the URL, and listen_addresses of the server',
  ENOTFOUND: 'there is no host with this name: check the URL',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ETIMEDOUT: 'the server does not answer: check the URL and the firewall',
};

/** @param count number of tries so far */
export function isRepeatable(error: unknown, count: number): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return REPEATABLE.has(error.code ?? '') || (error.code === UNIQUE && count <= 2);
}

/**
 * An error without the statement's values: the server's own message may contain them.
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
  if (isTlsMissing(error)) {
    const advice =
      'set ssl = on in its configuration, or for a server on this machine sslmode=disable in the URL';
    return new StoreUnavailable(`PostgreSQL: the server does not offer TLS: ${advice}`);
  }
  const forbidden = forbiddenByNode(error);
  if (forbidden !== null) return new StoreUnavailable(`PostgreSQL: ${forbidden}`);
  return isConnectionLost(error) ? new StoreUnavailable(`PostgreSQL: ${reasonOf(error)}`) : error;
}

/** The client has no password for a server that asks for one. */
function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('SASL:');
}

/** The URL asks for TLS, and the server has none. */
function isTlsMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('The server does not support SSL');
}

function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^E(?!RR_)[A-Z_]+$/.test(String(error.code))) return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout|Cannot use a pool)/.test(
    error.message,
  );
}

function reasonOf(error: Error): string {
  if (!('code' in error)) return error.message;
  // A certificate authority or key of the database's URL.
  const path = 'path' in error && error.code !== 'ECONNREFUSED' ? ` (${error.path})` : '';
  const code = String(error.code);
  const advice = CONNECTION_ADVICE[code];
  return `${code}${path}${advice ? `: ${advice}` : ''}`;
}
