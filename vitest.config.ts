import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepCompiledCode } from './test/support/compiled-code.ts';

keepCompiledCode();
const cores = availableParallelism();

// Ends what hangs. On a busy machine tests that start processes take several times as long as on a quiet one.
const limits = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...limits,
          // These compute. They share what they import, which takes as long to load as they take to run.
          isolate: false,
          maxWorkers: Math.max(2, cores - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          ...limits,
          // These wait most of the time, for processes and for clocks.
          maxWorkers: 3 * cores,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
