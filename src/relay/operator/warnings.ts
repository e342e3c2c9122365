/**
 * The relay's own warnings in its log: a name for programs, and a sentence for the operator.
 */
import type { FastifyBaseLogger } from 'fastify';

export const WARNINGS = {
  request_failed: 'request failed',
  expiry_failed: 'expiry failed; it is tried again',
  blob_not_dropped: 'the bytes of a blob could not be dropped; it is tried again',
  clock_jumped: 'the clock jumped ahead: nothing expires in this round',
  connection_lost: 'a connection to the database was lost; another one is made',
  database_broke: 'the database broke: the relay takes nothing until it is started again',
} as const;
export type WarningName = keyof typeof WARNINGS;

/** Details beside the name. */
interface Facts {
  err?: unknown;
  reason?: string;
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
