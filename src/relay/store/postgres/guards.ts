/** Requirements for a server, checked on every connection: after a failover it may be a different one. */
import type pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';

const OLDEST_SERVER = 15;

/** A server's position among the copies of one database. */
export interface ServerTimeline {
  /** The identifier of the database that all copies share. */
  cluster: string;
  /** Each promotion of a standby starts a timeline with the next number. */
  timeline: number;
}

interface Settings {
  version: string;
  encoding: string;
  isReadOnly: boolean;
  cluster: string;
  /** The name of a log file, which begins with the timeline in hexadecimal; null on a standby. */
  log: string | null;
  fsync: string;
  pages: string;
  commit: string;
  standbys: string;
}

/**
 * @throws OperatorFailure if it is too old, does not use Unicode, is read-only, or confirms commits that are not
 *   durable
 */
export async function requireUsable(client: pg.ClientBase): Promise<ServerTimeline> {
  const { rows } = await client.query<Settings>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
            pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "isReadOnly",
            (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
            CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS log,
            current_setting('fsync') AS fsync,
            current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit,
            current_setting('synchronous_standby_names') AS standbys`,
  );
  const [settings] = rows;
  if (!settings) throw new Error('the server returned no settings');
  const version = Math.floor(Number(settings.version) / 10_000);
  if (version < OLDEST_SERVER) throw new OperatorFailure('postgres_old', { version, oldest: OLDEST_SERVER });
  if (settings.encoding !== 'UTF8') {
    throw new OperatorFailure('postgres_encoding', { encoding: settings.encoding });
  }
  const { cluster, log } = settings;
  if (settings.isReadOnly || log === null) throw new OperatorFailure('postgres_read_only');
  if (settings.fsync === 'off') throw unsynced('fsync', 'off');
  if (settings.pages === 'off') throw unsynced('full_page_writes', 'off');
  // 'local' waits for this server's disk, and for no standby.
  const isTooWeak = settings.commit === 'off' || (settings.commit === 'local' && settings.standbys !== '');
  if (isTooWeak) throw unsynced('synchronous_commit', settings.commit);
  return { cluster, timeline: Number.parseInt(log.slice(0, 8), 16) };
}

function unsynced(setting: string, value: string): OperatorFailure {
  return new OperatorFailure('postgres_unsynced', { setting, value });
}
