/**
 * Warnings of the relay in its log: a name for programs, and a sentence for the operator.
 */
import type { FastifyBaseLogger } from 'fastify';

export const WARNINGS = {
  request_failed: 'request failed',
  faults_omitted: 'more requests failed in the same way in the last minute',
  expiry_failed: 'the expiry job failed and will be retried',
  blob_not_dropped: 'the bytes of a blob could not be deleted; this will be retried',
  clock_jumped: 'the clock jumped ahead: nothing expires for an hour. Check the clock of this computer',
  clock_went_back: 'the clock went back, so data expires later. Check the clock of this computer',
  settings_differ:
    'another relay on this database has another value of these settings: people cannot sign in, or files are missing. Start all of them with the same --public-url and --blobs',
  connection_lost: 'a connection to the database was lost; the relay opens another',
  database_broke: 'the database failed: the relay accepts no requests until it is restarted',
} as const;
export type WarningName = keyof typeof WARNINGS;

/** Details beside the name. */
interface Facts {
  err?: unknown;
  reason?: string;
  count?: number;
  settings?: readonly string[];
  /** Milliseconds. */
  ms?: number;
}

/** Logs a warning with its name as `event`. */
export function logWarning(
  log: Pick<FastifyBaseLogger, 'warn' | 'error' | 'fatal'>,
  level: 'warn' | 'error' | 'fatal',
  event: WarningName,
  facts: Facts = {},
): void {
  log[level]({ event, ...facts }, WARNINGS[event]);
}
