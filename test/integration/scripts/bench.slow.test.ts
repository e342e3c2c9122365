/** Each benchmark runs to its end in small sizes, and measures everything that it reports. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';

const folder = fileURLToPath(new URL('../../../bench', import.meta.url));
const benchmarks = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'databases.ts');

test.each(benchmarks)('%s', async (name) => {
  using results = temporaryFolder();
  const file = join(results.path, 'result.json');
  const env = { ...process.env, WAXWING_BENCH_SIZE: 'smoke', WAXWING_BENCH_REPORT: file };
  await promisify(execFile)(process.execPath, [join(folder, name)], { env });
  const { title, measured } = JSON.parse(readFileSync(file, 'utf8')) as {
    title: string;
    measured: { median: number; unit: string | null }[];
  };
  expect(title).not.toBe('');
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.every(({ median }) => Number.isFinite(median))).toBe(true);
});
