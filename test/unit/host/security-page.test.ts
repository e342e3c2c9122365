import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

test.each(['docs/security.md', 'docs/threat-model.md'])('every test that %s names is there', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const named = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
