/**
 * How often a property is tried, and how long that may take: `WAXWING_LONG_RUNS=1` is for a night.
 */
const isLong = process.env.WAXWING_LONG_RUNS === '1';

/**
 * @param usual in every run of the tests
 * @param long in a long one
 */
export function runs(usual: number, long: number): number {
  return isLong ? long : usual;
}

/** Milliseconds that a test with such a property may take. */
export const LONG_TEST = (isLong ? 60 : 5) * 60_000;
