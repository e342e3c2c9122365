/** Each test has an assertion: without one, it passes for any behavior of the program. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { type Node, nodesIn } from './elapsed-time.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Functions that begin a test: `test`, `lookingTest`, `test.each(…)`. */
const TEST = /^(?:\w*[tT]est|it)(?:\.(?:each|for|only|skipIf|runIf)\b.*)?$/s;
/** Assertions, and functions of test/support that fail if their condition is not met. */
const ASSERTING =
  /\b(?:expect|assert|test\.fail\(|refuse\(|eventually\(|becomes\(|waitForText\(|killAtEach\(|cutAtTenths\(|fuzz[A-Z]\w+\(|checkFuses\()/;
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/**
 * The lines of tests without an assertion: neither their function nor a function of the file that it calls has one.
 */
function emptyTestsIn(name: string, source: string): number[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const nodes = nodesIn(program as unknown as Node);
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const asserting = new Set<string>();
  const asserts = (text: string) =>
    ASSERTING.test(text) || [...asserting].some((each) => new RegExp(`\\b${each}\\b`).test(text));
  for (let found = -1; found !== asserting.size; ) {
    found = asserting.size;
    for (const node of nodes) {
      const { id } = node as { id?: Node | null };
      const isNamed = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator';
      if (isNamed && id?.type === 'Identifier' && asserts(textOf(node))) asserting.add(textOf(id));
    }
  }
  return nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const [title, ...rest] = node.arguments as Node[];
    const body = rest.find(({ type }) => FUNCTIONS.has(type));
    if (!title || !body || !TEST.test(textOf(node.callee as Node)) || asserts(textOf(body))) return [];
    return [source.slice(0, node.start).split('\n').length];
  });
}

test('each test has an assertion', () => {
  const empty = globSync('test/**/*.{test,spec}.ts', { cwd: root }).flatMap((name) =>
    emptyTestsIn(name, readFileSync(`${root}/${name}`, 'utf8')).map((line) => `${name}:${line}`),
  );
  expect(empty).toEqual([]);
});

test('finds a test without an assertion', () => {
  const source = `const shows = () => expect(1).toBe(1);
test('a', () => { work(); });
test('b', () => { shows(); });
test.each([1])('c', async () => { await work(); });
lookingTest('d', async ({ page }) => { await page.goto('/'); });
test('e', () => { expect(work()).toBe(1); });`;
  expect(emptyTestsIn('a.test.ts', source)).toEqual([2, 4, 5]);
});
