/**
 * The limits of the whole suite. They only end tests that hang: on a busy machine a test that starts processes needs
 * several times as long as on a quiet one.
 */
import { runs } from './runs.ts';

/** Time limit of a test, in milliseconds. */
export const TEST_LIMIT = 240_000;
/**
 * Milliseconds for a test that needs minutes on a quiet machine: many generated cases, most of them in the nightly run,
 * database servers that end and are copied while relays run on them, or the app that is packed.
 */
export const LONG_TEST_LIMIT = runs({ quick: 600_000, all: 600_000, nightly: 3_600_000 });
/** Milliseconds that a test may wait for one condition. It is shorter, so that the failure states the condition. */
export const WAIT_LIMIT = 150_000;
