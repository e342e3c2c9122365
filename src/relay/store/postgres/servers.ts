/**
 * The servers that a database URL names. libpq allows several in one URL; the driver allows one.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
import { readFileSync } from 'node:fs';
import { OperatorFailure } from '../../operator/failure.ts';
import { forbiddenByNode } from '../../operator/forbidden.ts';

/** Parameters that name files. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** A primary and its standbys. */
const MAX_SERVERS = 8;
/** Values of libpq that request a server without writes. */
const READERS = new Set(['read-only', 'standby', 'prefer-standby']);
/** The modes of TLS that the driver distinguishes. It treats any other value like a strict one. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Allowed values of `target_session_attrs`: with each of them the relay uses only a primary. */
const WRITERS = new Set(['any', 'read-write', 'primary']);

/**
 * The URL of each server that a URL names: `postgres://user@one:5432,two:5432/db` names two. Everything else is
 * common to all.
 * @throws OperatorFailure if it is malformed, names too many, requests a read-only server, has an unknown value of a
 * parameter, or names a file that cannot be read
 */
export function readServers(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/.exec(url) ?? [];
  if (start === '') throw new OperatorFailure('database_url_malformed');
  const [path = '', query] = rest.split('?', 2);
  const search = new URLSearchParams(query);
  const wanted = search.get('target_session_attrs');
  if (wanted !== null && !WRITERS.has(wanted)) {
    if (READERS.has(wanted)) throw new OperatorFailure('database_wants_standby', { wanted });
    const allowed = [...WRITERS].join(', ');
    throw new OperatorFailure('database_parameter_unknown', { name: 'target_session_attrs', allowed });
  }
  if (search.getAll('sslmode').some((mode) => !SSL_MODES.includes(mode))) {
    const allowed = SSL_MODES.join(', ');
    throw new OperatorFailure('database_parameter_unknown', { name: 'sslmode', allowed });
  }
  const names = hosts.split(',');
  const isList = names.length > 1;
  const isWhole = !isList || (names.every(isServer) && !search.has('host') && !search.has('port'));
  if (!isWhole || search.get('host')?.includes(',')) throw new OperatorFailure('database_url_malformed');
  if (names.length > MAX_SERVERS) throw new OperatorFailure('database_servers_many', { most: MAX_SERVERS });
  search.delete('target_session_attrs');
  const common = search.size > 0 ? `${path}?${search}` : path;
  const urls = [...new Set(names)].map((name) => `${start}${name}${common}`);
  if (!urls.every((each) => URL.canParse(each))) throw new OperatorFailure('database_url_malformed');
  requireFiles(search);
  return urls;
}

/** The driver reads them at each connection, and reports a failure without the parameter. @throws OperatorFailure */
function requireFiles(search: URLSearchParams): void {
  for (const name of FILES) {
    for (const file of search.getAll(name)) {
      try {
        readFileSync(file);
      } catch (error) {
        const reason = forbiddenByNode(error) ?? (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new OperatorFailure('database_url_file', { name, file, reason });
      }
    }
  }
}

/** True for a name or address, with or without a port. */
function isServer(name: string): boolean {
  return name !== '' && URL.canParse(`postgres://${name}/`) && /^(?:\[[^\]]+\]|[^:]+)(?::\d+)?$/.test(name);
}
