/** The kept results: of each benchmark the last one on each kind of processors. */

/** The most kinds of processors in a report: the last ones. */
const MOST_MACHINES = 3;

/**
 * @typedef {{ title: string, processors: string, machine: string, date: string, measured: object[] }} Result
 * @typedef {Record<string, Result[]>} Results by the name of the benchmark, newest first
 */

/**
 * The last result of a benchmark on these processors. Ratios of two kinds of processors are different with the same code.
 * @param {Results} results
 * @returns {Result | undefined}
 */
export function lastOn(results, benchmark, processors) {
  return results[benchmark]?.find((result) => result.processors === processors);
}

/**
 * Adds a result, which replaces the one of the same benchmark and processors.
 * @param {Results} results not changed
 * @param {Result} result
 * @returns {Results}
 */
export function withResult(results, benchmark, result) {
  const others = (results[benchmark] ?? []).filter(({ processors }) => processors !== result.processors);
  return { ...results, [benchmark]: [result, ...others].slice(0, MOST_MACHINES) };
}
