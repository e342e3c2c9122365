/**
 * The servers that a database URL names. libpq takes several in one URL; the driver takes one.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
import { OperatorFailure } from '../../operator/failure.ts';

/** A primary and its standbys. */
const MOST_SERVERS = 8;
/** What `target_session_attrs` may say: the relay takes only a server that takes writes, whichever of these it is. */
const WRITERS = new Set(['any', 'read-write', 'primary']);

/**
 * The URL of each server that a URL names: `postgres://user@one:5432,two:5432/db` names two. All else they have in common.
 * @throws OperatorFailure if it cannot be read, names too many, or asks for a server that takes no writes
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
  if (names.length > MOST_SERVERS) throw new OperatorFailure('database_servers_many', { most: MOST_SERVERS });
  search.delete('target_session_attrs');
  const common = search.size > 0 ? `${path}?${search}` : path;
  const urls = [...new Set(names)].map((name) => `${start}${name}${common}`);
  if (!urls.every((each) => URL.canParse(each))) throw new OperatorFailure('database_url_malformed');
  return urls;
}

/** Whether this is a name or address, with a port or without. */
function isServer(name: string): boolean {
  return name !== '' && URL.canParse(`postgres://${name}/`) && /^(?:\[[^\]]+\]|[^:]+)(?::\d+)?$/.test(name);
}
