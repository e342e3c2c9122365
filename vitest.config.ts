import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts'],
    // Ends what hangs. On a busy machine tests that start processes take several times as long as on a quiet one.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // Most of the time tests wait, for processes and for clocks: on two cores, too, two files at once are faster.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
