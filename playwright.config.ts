import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { keepCompiledCode } from './test/support/compiled-code.ts';
import { TEST_LIMIT } from './test/support/limits.ts';

keepCompiledCode();

// Named by scripts/test.mjs, which finds it.
const executablePath = process.env.WAXWING_CHROMIUM;

const inChromium = {
  viewport: { width: 1280, height: 800 },
  // What fades in has no contrast yet, and what moves is pressed beside. Also for contexts that a test makes itself.
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // Containers and root have no user namespaces to build Chromium's sandbox in.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Nothing here draws in three dimensions; a stand-in for a graphics card takes an eighth of the time.
      '--disable-gpu',
      '--disable-software-rasterizer',
    ],
  },
};

export default defineConfig({
  // Without the compiler's paths to types, which would be taken for the code.
  tsconfig: './test/e2e/runtime.tsconfig.json',
  testDir: 'test',
  // Tests share nothing but the build. Half of the time they wait for what a page shows.
  workers: 2 * availableParallelism(),
  fullyParallel: true,
  // End what hangs, and measure nothing. On a busy machine a walk takes several times as long as on a quiet one.
  timeout: 240_000,
  expect: { timeout: TEST_LIMIT },
  forbidOnly: Boolean(process.env.CI),
  outputDir: 'test-results',
  projects: [
    { name: 'chromium', testMatch: 'e2e/**/*.spec.ts', use: inChromium },
    { name: 'components', testMatch: 'components/**/*.spec.ts', use: inChromium },
    // Nobody sees the hosted machines: what was on the screen is kept, also when all is well.
    { name: 'electron', testMatch: 'electron/**/*.spec.ts', use: { trace: 'on', screenshot: 'on' } },
  ],
});
