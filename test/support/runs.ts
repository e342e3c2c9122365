/**
 * The number of generated cases of a property, and of checks of a page. `npm test` tries a few, `npm run test:all` more, and
 * the nightly workflow most: WAXWING_TEST_RUNS is `quick` (as without it), `all` or `nightly`.
 */
const rings = ['quick', 'all', 'nightly'] as const;
export const ring = rings.find((name) => name === process.env.WAXWING_TEST_RUNS) ?? 'quick';

/** @returns the number of cases, or the cases, for this run of the tests */
export function runs<T>(cases: Record<(typeof rings)[number], T>): T {
  return cases[ring];
}
