import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('npx starts the command of a checkout with Node, and not with the shell', () => {
  const { bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { bin: { waxwing: string } };
  expect(readFileSync(`${root}${bin.waxwing}`, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
