/**
 * When to ask a relay again after it could not be reached or refused, and what a held call that ends early means.
 */
import { backoffDelay, reachAgainDelay } from '../base/backoff.ts';
import { failedWith } from '../base/failure.ts';
import { RelayRefusal } from './http.ts';

/** No connection came about: nobody was asked anything. */
const UNREACHED = [
  'relay_silent',
  'relay_name_unknown',
  'relay_hung_up',
  'relay_unreachable',
  'proxy_unreachable',
] as const;

/** Between two attempts, however long the first took, in milliseconds. */
const LEAST_WAIT = 250;

/**
 * Whole milliseconds to wait after a failure: as long as the relay asks for, and never less than after any other failure. A
 * relay that was not reached is asked again soon ({@link reachAgainDelay}); the time that the attempt took is part of that.
 * @param failures as for {@link backoffDelay}
 * @param took milliseconds for which the attempt waited for a connection
 * @param random between 0 and 1
 */
export function waitAfter(error: unknown, failures: number, took = 0, random = Math.random()): number {
  if (failedWith(error, ...UNREACHED)) {
    return Math.max(LEAST_WAIT, reachAgainDelay(failures, random) - Math.round(took));
  }
  const asked = error instanceof RelayRefusal ? error.retryAfter : null;
  return Math.max(asked ?? 0, backoffDelay(failures, random));
}

/** How long before its time a held call ends where nothing but the clocks of two computers differ, in milliseconds. */
const EARLY = 2_000;

/**
 * Whether a relay ended a held call with nothing and before its time. A relay that stops does so, and it may be back
 * before it is asked again, with what a backup had.
 * @param askedAt by `performance.now()`
 * @param hold seconds for which the relay was asked to hold the call
 */
export function wasCutShort(page: { envelopes: readonly unknown[] }, askedAt: number, hold: number): boolean {
  return page.envelopes.length === 0 && performance.now() - askedAt < hold * 1_000 - EARLY;
}
