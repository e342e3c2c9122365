import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keepCompiledCode } from './test/support/compiled-code.ts';

keepCompiledCode();
const cores = availableParallelism();

// Ends what hangs. On a busy machine tests that start processes take several times as long as on a quiet one.
const limits = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

const INTEGRATION = 'test/integration/**/*.test.ts';
/** What a relay's store does, whichever engine is behind it. These run on each. */
const CONTRACT = 'test/contract/**/*.test.ts';

/** Threads and forks inherit it. */
const CHEAP_SCRYPT = ['--import', new URL('./test/support/cheap-scrypt.ts', import.meta.url).href];

// These wait most of the time, for processes and for clocks.
const integration = {
  ...limits,
  execArgv: CHEAP_SCRYPT,
  maxWorkers: 3 * cores,
  sequence: { groupOrder: 1 },
};

/** What a relay does whatever keeps its data. These run again on PostgreSQL. */
const ON_ANY_DATABASE = [
  'account-deletion',
  'auth',
  'blobs',
  'devices',
  'directory',
  'envelopes',
  'group-envelopes',
  'group-tokens',
  'groups',
  'key-history',
  'me',
  'pq-keys',
  'reports',
  'rosters',
].map((name) => `test/integration/relay/${name}.test.ts`);

/** Files that take longest, though they are short. What begins last must not be what all others wait for. */
const LONG = [
  'packaging/npm-package',
  'protocol/roster-model',
  'postgres/chaos',
  'postgres/migrate',
  'postgres/failover',
  'host/rewrap-kill',
  'relay/fuzz',
  'client/library',
  'engine/kill-groups',
  'packaging/pack',
  'host/hostile-calls',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.includes(`/${name}.test.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...limits,
          execArgv: CHEAP_SCRYPT,
          // These compute. They share what they import, which takes as long to load as they take to run.
          isolate: false,
          maxWorkers: Math.max(2, cores - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          include: [INTEGRATION, CONTRACT],
          ...integration,
          // A process for each file would take a fifth of all the time.
          isolate: false,
        },
      },
      // `npm run test:packaged`: it takes longer, or fetches what is too large for everyone.
      {
        test: {
          name: 'packaged',
          include: ['test/packaged/**/*.test.ts'],
          ...limits,
          testTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'postgres',
          include: [...ON_ANY_DATABASE, CONTRACT, 'test/postgres/**/*.test.ts'],
          globalSetup: 'test/support/postgres-server.ts',
          setupFiles: 'test/support/on-postgres.ts',
          ...integration,
          isolate: false,
        },
      },
    ],
  },
});
