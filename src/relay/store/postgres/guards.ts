/**
 * What a server has to be, looked at on every connection: after a failover it may be another one.
 */
import type pg from 'pg';
import { OperatorFailure } from '../../operator-failure.ts';

const OLDEST_SERVER = 15;

interface Settings {
  version: string;
  encoding: string;
  readOnly: string;
  fsync: string;
  pages: string;
  commit: string;
  standbys: string;
}

/** @throws OperatorFailure if it is too old, keeps no Unicode, takes no writes, or confirms what is not durable */
export async function requireUsable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Settings>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
            current_setting('transaction_read_only') AS "readOnly", current_setting('fsync') AS fsync,
            current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit,
            current_setting('synchronous_standby_names') AS standbys`,
  );
  const [settings] = rows;
  if (!settings) throw new Error('the server told nothing of its settings');
  const version = Math.floor(Number(settings.version) / 10_000);
  if (version < OLDEST_SERVER) throw new OperatorFailure('postgres_old', { version, oldest: OLDEST_SERVER });
  if (settings.encoding !== 'UTF8') {
    throw new OperatorFailure('postgres_encoding', { encoding: settings.encoding });
  }
  if (settings.readOnly === 'on') throw new OperatorFailure('postgres_read_only');
  if (settings.fsync === 'off') throw unsynced('fsync', 'off');
  if (settings.pages === 'off') throw unsynced('full_page_writes', 'off');
  // 'local' waits for this server's disk, and for no standby.
  const isTooWeak = settings.commit === 'off' || (settings.commit === 'local' && settings.standbys !== '');
  if (isTooWeak) throw unsynced('synchronous_commit', settings.commit);
}

function unsynced(setting: string, value: string): OperatorFailure {
  return new OperatorFailure('postgres_unsynced', { setting, value });
}
