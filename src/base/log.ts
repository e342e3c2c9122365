/**
 * The log: codes, stacks and times of what happened, never contents, names, addresses or secrets. Each thread hands its
 * records to a sink; a worker's sink passes them to its host, which writes them into files (node/log-files.ts).
 */
import { describe, type ErrorFacts } from './error-facts.ts';
import { Failure } from './failure.ts';
import { LogLimit } from './log-limit.ts';
import type { LogRecord } from './log-record.ts';

let limit: LogLimit | null = null;

/** Where the records of this thread go from now on; null for nowhere. */
export function logTo(sink: ((record: LogRecord) => void) | null): void {
  limit?.flush();
  limit = sink && new LogLimit(sink);
}

export function log(
  level: LogRecord['level'],
  event: string,
  facts: Omit<LogRecord, 'level' | 'event'> = {},
): void {
  limit?.write({ level, event, ...facts });
}

/** Begins to measure. Returns the function that tells how long it has been, in whole milliseconds. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
}

/** Without letters and digits that are taken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 4;

/** A failure that was foreseen, as it is; anything else is written into the log, and becomes `unexpected` with its id. */
export function toFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('unexpected', { id: logUnexpected(describe(error)) });
}

/**
 * Writes an error that nobody foresaw into the log.
 * @returns the id that the person is shown and the log has
 */
export function logUnexpected(facts: ErrorFacts, event = 'unexpected'): string {
  const digits = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  const id = `E-${Array.from(digits, (digit) => ALPHABET[digit % ALPHABET.length]).join('')}`;
  log('error', event, { id, ...facts });
  return id;
}
