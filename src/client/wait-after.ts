/**
 * When to ask a relay again after it could not be reached or refused.
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
