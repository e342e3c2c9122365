import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = globSync(['scripts/**/*.{mjs,ts}', 'test/**/*.ts', 'dev/**/*.ts', '*.config.ts'], {
  cwd: root,
});

/** A shell that is requested, or used by default. */
const SHELL =
  /\bshell: (?:true|process\.|'|windows|isWindows)|\bimport \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'/;
/** Commands that are .cmd files on Windows, which only a shell starts. */
const BARE =
  /\b(?:spawn|spawnSync|execFile|execFileSync)\('(?:node|npm|npx|tsc|vite|vitest|biome|playwright)'/;

test.each([
  ['asks for a shell', SHELL],
  ['starts by its bare name what npm has installed', BARE],
])('no script, test or configuration %s', (_what, pattern) => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8')));
  expect(found).toEqual([]);
});
