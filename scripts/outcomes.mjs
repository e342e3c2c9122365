/**
 * Reads the reports of the test runners: the number of passed tests, and the failures with their reasons.
 */

/**
 * @typedef {{ name: string, why: string }} Failure
 * @typedef {{ passed: number, skipped: number, failures: Failure[] }} Outcome
 */

/**
 * The outcome in a report of Vitest (`--reporter=json`).
 * @returns {Outcome}
 */
export function ofVitest({ numPassedTests, numPendingTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    // A file that could not be read has no tests.
    if (failed.length === 0) return status === 'failed' ? [{ name, why: firstLines(message) }] : [];
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${name}: ${fullName}`,
      why: firstLines(failureMessages.join('\n')),
    }));
  });
  return { passed: numPassedTests, skipped: numPendingTests, failures };
}

/**
 * The outcome in a report of Playwright (`--reporter=json`).
 * @returns {Outcome}
 */
export function ofPlaywright({ stats, suites, errors }) {
  const failures = suites.flatMap(failuresIn);
  const outside = errors.map(({ message }) => ({ name: 'outside of a test', why: firstLines(message) }));
  return {
    passed: stats.expected + stats.flaky,
    skipped: stats.skipped,
    failures: [...failures, ...outside],
  };
}

function failuresIn({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ file, line, title, tests }) => ({
      name: `${file}:${line}: ${title}`,
      why: firstLines(
        tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
      ),
    }));
  return [...own, ...suites.flatMap(failuresIn)];
}

const LINES = 12;
// Colors, which a page of text cannot show.
const STYLE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const IN_PACKAGES = /^\s+at .*(?:node_modules|node:internal)/;

/** Without the runner's own places. */
function firstLines(text = '') {
  const lines = text.replace(STYLE, '').trim().split('\n');
  return lines
    .filter((line) => !IN_PACKAGES.test(line))
    .slice(0, LINES)
    .join('\n');
}

/**
 * The tests that failed in some runs, the most frequent first, each with the reason of its first failure.
 * @param {readonly Outcome[]} outcomes one of each run
 * @returns {{ name: string, count: number, why: string }[]}
 */
export function countFailures(outcomes) {
  const counts = new Map();
  for (const { failures } of outcomes) {
    for (const { name, why } of failures) {
      const counted = counts.get(name) ?? { name, count: 0, why };
      counts.set(name, { ...counted, count: counted.count + 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}
