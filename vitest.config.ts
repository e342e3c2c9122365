import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { keepCompiledCode } from './test/support/compiled-code.ts';
import { LONG_TEST_LIMIT, TEST_LIMIT, WAIT_LIMIT } from './test/support/limits.ts';

keepCompiledCode();
const cores = availableParallelism();
/** Workers of tests that wait for processes in a third of their time. */
const WAITING = Math.ceil(1.5 * cores);

const limits = {
  testTimeout: TEST_LIMIT,
  hookTimeout: TEST_LIMIT,
  expect: { poll: { timeout: WAIT_LIMIT } },
};

/** Files in which a relay's HTTP interface is tested with whatever database it has. They run again on PostgreSQL. */
const ANY_DATABASE = 'test/integration/relay/any-database';
/** The store's contract, which each engine has to meet. */
const CONTRACT = 'test/contract';

/** Passphrases cost nothing. Threads and forks inherit it. */
const CHEAP_SCRYPT = ['--import', new URL('./test/support/cheap-scrypt.ts', import.meta.url).href];
/** Threads run the build, where scripts/test.mjs has just made it. */
const BUILT_THREADS =
  process.env.WAXWING_BUILT_THREADS === '1'
    ? ['--import', new URL('./test/support/built-threads.ts', import.meta.url).href]
    : [];

const SEED_OF_PROPERTIES = 'test/support/seed-of-properties.ts';
const onPostgres = {
  globalSetup: 'test/support/postgres-server.ts',
  setupFiles: [SEED_OF_PROPERTIES, 'test/support/on-postgres.ts'],
};

/**
 * The quick and the slow tests of some folders: `<name>` and `<name>-slow`. A file's name tells which it is.
 * @param folders below the project's root
 * @param groupOrder projects of a lower order end before those of a higher one begin
 */
function suites(
  name: string,
  folders: readonly string[],
  groupOrder: number,
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration[] {
  const slow = folders.map((folder) => `${folder}/**/*.slow.test.ts`);
  // A process for each file would take a fifth of all the time.
  const shared = {
    ...limits,
    execArgv: [...CHEAP_SCRYPT, ...BUILT_THREADS],
    isolate: false,
    maxWorkers: cores,
    setupFiles: SEED_OF_PROPERTIES,
    ...options,
  };
  return [
    {
      test: {
        ...shared,
        name,
        include: folders.map((folder) => `${folder}/**/*.test.ts`),
        exclude: slow,
        sequence: { groupOrder },
      },
    },
    {
      test: {
        ...shared,
        name: `${name}-slow`,
        include: slow,
        // Most of their time they wait for processes.
        maxWorkers: 2 * cores,
        sequence: { groupOrder: groupOrder + 1 },
      },
    },
  ];
}

export default defineConfig({
  test: {
    projects: [
      ...suites('unit', ['test/unit'], 0),
      ...suites('integration', ['test/integration', CONTRACT], 2, {
        globalSetup: 'test/support/built-relay-docs.ts',
        maxWorkers: WAITING,
      }),
      ...suites('postgres', [CONTRACT, 'test/postgres'], 2, { ...onPostgres, maxWorkers: WAITING }),
      {
        test: {
          ...limits,
          ...onPostgres,
          name: 'any-database-slow',
          include: [`${ANY_DATABASE}/*.test.ts`],
          execArgv: CHEAP_SCRYPT,
          isolate: false,
          maxWorkers: 2 * cores,
          sequence: { groupOrder: 3 },
        },
      },
      // Fetches a large runtime, or packs the app.
      {
        test: {
          ...limits,
          name: 'packaged',
          include: ['test/packaged/**/*.test.ts'],
          testTimeout: LONG_TEST_LIMIT,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
