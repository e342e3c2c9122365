/**
 * The limits of the whole suite. They end what hangs, and decide nothing else: on a busy machine a test that starts processes takes
 * several times as long as on a quiet one.
 */

/** Milliseconds that a test may take. */
export const TEST_LIMIT = 180_000;
/** Milliseconds that a test may wait for one condition. It is shorter, so that the failure states the condition. */
export const WAIT_LIMIT = 150_000;
