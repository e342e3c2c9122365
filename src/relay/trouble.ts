/**
 * What a relay says in its log of its own troubles: for each the name that programs read, and the words for its operator.
 */
import type { FastifyBaseLogger } from 'fastify';

export const TROUBLES = {
  request_failed: 'request failed',
  expiry_failed: 'expiry failed; it is tried again',
  blob_not_dropped: 'the bytes of a blob could not be dropped; it is tried again',
  clock_jumped: 'the clock jumped ahead: nothing expires in this round',
  connection_lost: 'a connection to the database was lost; another one is made',
  database_broke: 'the database broke: the relay takes nothing until it is started again',
} as const;
export type Trouble = keyof typeof TROUBLES;

/** What is known of it beside its name. */
interface Facts {
  err?: unknown;
  reason?: string;
}

/** Writes a line with the name as `event`. */
export function logTrouble(
  log: Pick<FastifyBaseLogger, 'warn' | 'error' | 'fatal'>,
  level: 'warn' | 'error' | 'fatal',
  event: Trouble,
  facts: Facts = {},
): void {
  log[level]({ event, ...facts }, TROUBLES[event]);
}
