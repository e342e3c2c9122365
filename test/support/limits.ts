/**
 * The limits of the whole suite. They end what hangs, and decide nothing else: on a busy machine a test that starts processes takes
 * several times as long as on a quiet one.
 */

/** Milliseconds that a test may take, and that it may wait for one condition. */
export const TEST_LIMIT = 180_000;
