/**
 * All text has a size of the scale, which src/renderer/design/tokens.css names: a class of another size has no rule,
 * and would silently have no effect.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/renderer/design/tokens.css', 'utf8');
const scale = new Map(
  [...css.matchAll(/--text-(\w+): ([\d.]+)rem;\s*--text-\1--line-height: calc\((\d+) \/ (\d+)\)/g)].map(
    ([, name, rem, line, size]) => [name, { rem: Number(rem), line: Number(line), size: Number(size) }],
  ),
);
/** Sizes of Tailwind, and sizes and line heights in brackets. */
const OTHERS =
  /(?<![\w-])(?:text-(?:xs|sm|base|lg|\d?xl|\[[\d.]+(?:rem|px|em)\])|leading-(?!none\b)[\w[\].-]+)/g;
/** The initials of a small avatar are a part of its picture. */
const allowed = new Map([['src/renderer/design/avatar.tsx', ['text-[0.5625rem]']]]);

test('the scale is that of the design, in pixels at 100 %', () => {
  for (const { rem, size } of scale.values()) expect(rem * 16).toBe(size);
  expect([...scale].map(([name, { size, line }]) => `${name} ${size}/${line}`)).toEqual([
    'meta 12/16',
    'secondary 13/18',
    'interface 14/20',
    'message 15/22',
    'pane 16/22',
    'dialog 20/26',
    'welcome 28/34',
  ]);
});

test('every text in the interface uses the scale', () => {
  const files = globSync('src/renderer/**/*.tsx').map((path) => path.replaceAll('\\', '/'));
  const found = files.flatMap((path) => {
    const here = allowed.get(path) ?? [];
    const classes = readFileSync(path, 'utf8').match(OTHERS) ?? [];
    return classes.filter((each) => !here.includes(each)).map((each) => `${path}: ${each}`);
  });
  expect(found).toEqual([]);
});
