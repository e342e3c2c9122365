/** Comparison of a benchmark with its last report. */

/** A change within it is within the spread of two runs. */
const ALLOWED = 0.1;

/**
 * Ratios that are worse than before by more than a tenth. Figures of one machine are not compared.
 * @param {{ name: string, unit: string | null, median: number }[]} before
 * @param {{ name: string, unit: string | null, median: number, isLessBetter: boolean }[]} after
 * @returns {{ ratio: string, before: number, after: number }[]}
 */
export function worsened(before, after) {
  return after.flatMap(({ name, unit, median, isLessBetter }) => {
    const old = before.find((each) => each.name === name)?.median;
    if (unit !== null || old === undefined || old <= 0) return [];
    const change = isLessBetter ? median / old - 1 : 1 - median / old;
    return change > ALLOWED ? [{ ratio: name, before: old, after: median }] : [];
  });
}

/** Reports whether a goal is reached. */
export function isReached({ median, goal }) {
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
}
