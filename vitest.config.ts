import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the time tests wait, for processes and for clocks: on two cores, too, two files at once are faster.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
