import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { keepCompiledCode } from './test/support/compiled-code.ts';
import { inChromium } from './test/support/in-chromium.ts';
import { TEST_LIMIT, WAIT_LIMIT } from './test/support/limits.ts';

keepCompiledCode();

/** The quick and the slow tests of a folder: `<name>` and `<name>-slow`. A file's name tells which it is. */
const suites = (name: string, folder: string, use: object) => [
  { name, testMatch: `${folder}/**/*.spec.ts`, testIgnore: '**/*.slow.spec.ts', use },
  { name: `${name}-slow`, testMatch: `${folder}/**/*.slow.spec.ts`, use },
];

export default defineConfig({
  // Without the compiler's paths to types, which would be taken for the code.
  tsconfig: './test/e2e/runtime.tsconfig.json',
  testDir: 'test',
  // Tests share nothing but the build.
  workers: availableParallelism(),
  fullyParallel: true,
  timeout: TEST_LIMIT,
  expect: { timeout: WAIT_LIMIT },
  forbidOnly: Boolean(process.env.CI),
  outputDir: 'test-results',
  projects: [
    ...suites('e2e', 'e2e', inChromium),
    ...suites('components', 'components', inChromium),
    // Nobody sees the hosted machines: what was on the screen is kept, also when all is well.
    ...suites('electron', 'electron', { trace: 'on', screenshot: 'on' }),
  ],
});
