/**
 * The log: codes, stacks and times, never contents, names, addresses or secrets. Each thread has a sink; a
 * worker's sink passes records to its host, which writes them to files (node/log-files.ts).
 */
import { describe, type ErrorFacts } from './error-facts.ts';
import { Failure } from './failure.ts';
import { LogLimit } from './log-limit.ts';
import type { LogRecord } from './log-record.ts';

let limit: LogLimit | null = null;

/** Sets the sink of this thread; null for none. */
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

/**
 * Starts a measurement.
 * @returns a function for the elapsed whole milliseconds
 */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
}

/** Without easily confused letters and digits. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 4;

/** Returns an expected failure unchanged. Others are logged, and become `unexpected` with an id. */
export function toFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('unexpected', { id: logUnexpected(describe(error)) });
}

/**
 * Logs an unexpected error.
 * @returns the id for the person and the log
 */
export function logUnexpected(facts: ErrorFacts, event = 'unexpected'): string {
  const digits = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  const id = `E-${Array.from(digits, (digit) => ALPHABET[digit % ALPHABET.length]).join('')}`;
  log('error', event, { id, ...facts });
  return id;
}
