import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure.ts';
import { explain } from '../../../src/cli/errors.ts';

test('what was foreseen is said in its own sentence', () => {
  expect(explain(new Failure('folder_busy', { path: '/data' }))).toBe(
    'Waxwing is already running with the data in /data. Close it first, or give another folder with --data.',
  );
});

test('what was not foreseen is told with all that helps to find it', () => {
  const said = explain(new TypeError('undefined is not a function'));
  expect(said).toMatch(/^This should not have happened\./);
  expect(said).toContain('TypeError: undefined is not a function\n    at ');
});
