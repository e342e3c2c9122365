import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const filesIn = (text: string) => [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path ?? '');

test.each(['docs/security.md', 'docs/threat-model.md', 'docs/accessibility.md'])(
  'every test named by %s exists',
  (page) => {
    const named = filesIn(read(page));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  },
);

/** The cells of every row of the page's tables. */
const rows = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, label = '', ...cells]) => ({ label, cells, text: cells.join(' ') }));
const labelled = rows.filter(({ label }) => /^[BCV]\d+$/.test(label));
const items = rows.filter(({ label }) => /^\d+/.test(label));

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);

/** Labels at the start of test titles: separated by commas, and ended by a colon. */
function labelsIn(path: string): Set<string> {
  const titles = read(path).matchAll(/\(\s*['`]([BCEV]\d+(?:, [BCEV]\d+)*): /g);
  return new Set([...titles].flatMap(([, labels = '']) => labels.split(', ')));
}

describe('the page on security', () => {
  test('has every row of the design once', () => {
    const expected = [...numbered('C', 21), ...numbered('B', 8), ...numbered('V', 13)];
    expect(labelled.map(({ label }) => label)).toEqual(expected);
  });

  test.each(labelled.map(({ label, text }) => [label, filesIn(text)] as const))(
    '%s has tests with its name',
    (label, files) => {
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((path) => !labelsIn(path).has(label))).toEqual([]);
    },
  );

  test('has each of Electron’s twenty items, by existing rows or its own test', () => {
    const numbers = items.flatMap(({ label }) => (/^[\d, ]+/.exec(label)?.[0] ?? '').split(',').map(Number));
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    const known = new Set(labelled.map(({ label }) => label));
    for (const { label, text } of items) {
      const named = text.match(/\b[BCV]\d+\b/g) ?? [];
      expect(named.filter((row) => !known.has(row))).toEqual([]);
      const own = filesIn(text);
      expect(named.length + own.length, label).toBeGreaterThan(0);
      for (const path of own) expect(labelsIn(path)).toContain(`E${Number.parseInt(label, 10)}`);
    }
  });

  test('names every test with the name of a row', () => {
    const all = readdirSync(new URL('test', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|spec)\.ts$/.test(name))
      .map((name) => `test/${name.replaceAll('\\', '/')}`);
    const carried = all.flatMap((path) => [...labelsIn(path)].map((label) => `${label} ${path}`));
    const named = [...labelled, ...items].flatMap(({ label, text }) =>
      filesIn(text).map((path) => `${/^\d/.test(label) ? `E${Number.parseInt(label, 10)}` : label} ${path}`),
    );
    expect(carried.filter((each) => !named.includes(each)).sort()).toEqual([]);
  });

  test('names nothing as missing', () => {
    expect(rows.filter(({ text }) => text.includes('not yet')).map(({ label }) => label)).toEqual([]);
  });
});
