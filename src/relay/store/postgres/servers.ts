/**
 * The servers that a database URL names. libpq allows several in one URL; the driver allows one.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
import { OperatorFailure } from '../../operator/failure.ts';

/** A primary and its standbys. */
const MAX_SERVERS = 8;
/** Allowed values of `target_session_attrs`: with each of them the relay uses only a primary. */
const WRITERS = new Set(['any', 'read-write', 'primary']);

/**
 * The URL of each server that a URL names: `postgres://user@one:5432,two:5432/db` names two. Everything else is
 * common to all.
 * @throws OperatorFailure if it is malformed, names too many, or requests a read-only server
 */
export function readServers(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/.exec(url) ?? [];
  if (start === '') throw new OperatorFailure('database_url_malformed');
  const [path = '', query] = rest.split('?', 2);
  const search = new URLSearchParams(query);
  const wanted = search.get('target_session_attrs');
  if (wanted !== null && !WRITERS.has(wanted)) {
    throw new OperatorFailure('database_wants_standby', { wanted });
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
  return urls;
}

/** True for a name or address, with or without a port. */
function isServer(name: string): boolean {
  return name !== '' && URL.canParse(`postgres://${name}/`) && /^(?:\[[^\]]+\]|[^:]+)(?::\d+)?$/.test(name);
}
