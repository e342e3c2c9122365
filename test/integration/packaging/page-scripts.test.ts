/** The built scripts of the page are short, and name their functions for the stacks in the log. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { firstLoadOf } from '../../../bench/support/app/bundle.ts';

const folder = fileURLToPath(new URL('../../../out/renderer', import.meta.url));
const { scripts } = firstLoadOf(folder);
const texts = scripts.map((file) => readFileSync(`${folder}/${file}`, 'utf8'));

test('scripts of the first load are minified', () => {
  expect(texts.length).toBeGreaterThan(1);
  // A source of this project has one statement in a line.
  for (const text of texts) expect(text.length / text.split('\n').length).toBeGreaterThan(1_000);
});

test('functions and classes keep their names', () => {
  const all = texts.join('\n');
  const names = ['function reportFault(', 'function MainWindow(', 'ErrorBoundary=class '];
  expect(names.filter((name) => !all.includes(name))).toEqual([]);
});

test('licences of packages stay in the scripts', () => {
  expect(texts.some((text) => text.includes('Meta Platforms, Inc. and affiliates'))).toBe(true);
});
