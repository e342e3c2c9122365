import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('a dark place in a light window has the colors of the dark theme', () => {
  const css = readFileSync(new URL('../../../../src/renderer/design/tokens.css', import.meta.url), 'utf8');
  const [theme = '', place = ''] = css.split('.dark-place');
  const pairs = [...theme.matchAll(/(--color-[\w-]+): light-dark\([^,]+, ([^)]+)\);/g)];
  expect(pairs.length).toBeGreaterThan(20);
  const dark = [...place.matchAll(/(--color-[\w-]+): ([^;]+);/g)];
  expect(dark.map(([, name, color]) => [name, color])).toEqual(pairs.map(([, name, color]) => [name, color]));
});
