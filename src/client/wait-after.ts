/**
 * The wait before asking a relay again after a failure or refusal, and the meaning of a long poll that ends early.
 */
import { backoffDelay, reachAgainDelay } from '../base/backoff.ts';
import { failedWith } from '../base/failure.ts';
import { RelayRefusal } from './http.ts';

/** Failures without a connection: no server was asked. */
const UNREACHED = [
  'relay_silent',
  'relay_name_unknown',
  'relay_hung_up',
  'relay_unreachable',
  'proxy_unreachable',
] as const;

/** The shortest wait between two attempts, in milliseconds. */
const LEAST_WAIT = 250;

/**
 * Whole milliseconds to wait after a failure: as long as the relay requests, and never less than after any other
 * failure. An unreachable relay is asked again soon ({@link reachAgainDelay}); the attempt's own time counts.
 * @param failures as for {@link backoffDelay}
 * @param took milliseconds for which the attempt waited for a connection
 * @param random between 0 and 1
 */
export function waitAfter(error: unknown, failures: number, took = 0, random = Math.random()): number {
  if (failedWith(error, ...UNREACHED)) {
    return Math.max(LEAST_WAIT, reachAgainDelay(failures, random) - Math.round(took));
  }
  const requested = error instanceof RelayRefusal ? error.retryAfter : null;
  return Math.max(requested ?? 0, backoffDelay(failures, random));
}

/** The tolerance for the end of a long poll, for different clocks, in milliseconds. */
const EARLY = 2_000;

/**
 * Reports whether a relay ended a long poll early with an empty answer. The list of own devices has changed, or the relay is
 * stopping: it may be back before the next poll, restored from a backup.
 * @param requestedAt by `performance.now()`
 * @param hold requested wait in seconds
 */
export function wasCutShort(
  page: { envelopes: readonly unknown[] },
  requestedAt: number,
  hold: number,
): boolean {
  return page.envelopes.length === 0 && performance.now() - requestedAt < hold * 1_000 - EARLY;
}
