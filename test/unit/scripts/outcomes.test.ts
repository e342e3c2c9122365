import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { countFailures, ofPlaywright, ofVitest } from '../../../scripts/outcomes.mjs';

test('names failures of Vitest with file and reason, without colors and places in packages', () => {
  const report = {
    numPassedTests: 2,
    numPendingTests: 1,
    testResults: [
      {
        name: '/wax/test/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'a holds', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'a breaks',
            failureMessages: [
              'Error: \u001b[31mone\u001b[0m is not two\n    at /wax/test/a.test.ts:3:1\n    at file:///wax/node_modules/vitest/run.js:1:1',
            ],
          },
        ],
      },
      { name: '/wax/test/b.test.ts', status: 'failed', message: 'There is no ./c.ts', assertionResults: [] },
    ],
  };
  expect(ofVitest(report)).toEqual({
    passed: 2,
    skipped: 1,
    failures: [
      { name: '/wax/test/a.test.ts: a breaks', why: 'Error: one is not two\n    at /wax/test/a.test.ts:3:1' },
      { name: '/wax/test/b.test.ts', why: 'There is no ./c.ts' },
    ],
  });
});

test('names failures of Playwright with file and line, at any depth', () => {
  const spec = (status: string, message?: string) => ({
    file: 'e2e/a.spec.ts',
    line: 7,
    title: 'a walk',
    tests: [{ status, results: [{ error: message === undefined ? undefined : { message } }] }],
  });
  const report = {
    stats: { expected: 3, flaky: 0, skipped: 2 },
    errors: [{ message: 'No tests found' }],
    suites: [{ specs: [spec('expected')], suites: [{ specs: [spec('unexpected', 'It stayed hidden')] }] }],
  };
  expect(ofPlaywright(report)).toEqual({
    passed: 3,
    skipped: 2,
    failures: [
      { name: 'e2e/a.spec.ts:7: a walk', why: 'It stayed hidden' },
      { name: 'outside of a test', why: 'No tests found' },
    ],
  });
});

test('counts the failures of each test over several runs, the most frequent first', () => {
  const outcomes = [
    { passed: 1, skipped: 0, failures: [{ name: 'a', why: 'first' }] },
    { passed: 2, skipped: 0, failures: [] },
    {
      passed: 0,
      skipped: 0,
      failures: [
        { name: 'b', why: 'once' },
        { name: 'a', why: 'second' },
      ],
    },
  ];
  expect(countFailures(outcomes)).toEqual([
    { name: 'a', count: 2, why: 'first' },
    { name: 'b', count: 1, why: 'once' },
  ]);
});
