/**
 * When to ask a relay again after it could not be reached or refused, and what a held call that ends early means.
 */
import { backoffDelay } from '../base/backoff.ts';
import { RelayRefusal } from './http.ts';

/**
 * Milliseconds to wait after a failure: as long as the relay asks for, and never less than after any other failure.
 * @param failures as for {@link backoffDelay}
 */
export function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof RelayRefusal ? error.retryAfter : null;
  return Math.max(asked ?? 0, backoffDelay(failures));
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
