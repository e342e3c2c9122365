import { expect, test } from 'vitest';
import { explain } from '../../../src/cli/errors.ts';
import { DataFolderError } from '../../../src/host/data-folder.ts';

test('what was foreseen is said in its own sentence', () => {
  expect(explain(new DataFolderError('The folder is in use.'))).toBe('The folder is in use.');
});

test('what was not foreseen is told with all that helps to find it', () => {
  const said = explain(new TypeError('undefined is not a function'));
  expect(said).toMatch(/^This should not have happened\./);
  expect(said).toContain('TypeError: undefined is not a function\n    at ');
});
