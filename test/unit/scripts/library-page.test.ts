import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { libraryPage, PAGE } from '../../../scripts/make-library-page.ts';

test('docs/library.md lists every call of account.call: node scripts/make-library-page.ts updates it', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(libraryPage(page)).toBe(page);
  expect(page).toContain('| `createGroup` |');
});
