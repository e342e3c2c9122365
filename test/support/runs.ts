/**
 * How often a property is tried.
 *
 * @param usual in every run of the tests
 * @param long with `WAXWING_LONG_RUNS=1`: what `docs/security.md` promises, for a night
 */
export function runs(usual: number, long: number): number {
  return process.env.WAXWING_LONG_RUNS === '1' ? long : usual;
}

/** Milliseconds that a test with such a property may take. */
export const LONG_TEST = 30 * 60_000;
