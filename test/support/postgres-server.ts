/**
 * One PostgreSQL server for all tests of a run that need one, with a database that has the tables of a relay. The databases
 * of relays are copies of it: making the tables is several times slower.
 */
import { existsSync, statfsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import { TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server. */
    postgres: string;
    /** The name of the database with the tables of a relay. */
    template: string;
    /** True to keep the databases in memory. */
    inMemory: boolean;
  }
}

const SETTINGS = {
  // Autovacuum would process hundreds of unused databases.
  autovacuum: 'off',
  jit: 'off',
  max_wal_size: '128MB',
};

const MEMORY = '/dev/shm';
/** Far more bytes than the databases of simultaneous tests take. */
const ENOUGH = 2 * 1024 ** 3;

/**
 * Memory, where the system has files there: to write a new database through to a disk takes five times as much processor
 * time as to make it. A relay refuses a server that does not write through, and what a killed process wrote is in memory
 * either way.
 */
function findFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH ? MEMORY : undefined;
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = findFolder();
  const server = await new TestPostgres(SETTINGS, folder).start();
  const url = await server.database();
  const { store } = await openPostgresStore({ url, queueBytes: 1, onWarning: () => undefined });
  await store.close();
  project.provide('postgres', server.url('postgres'));
  project.provide('template', new URL(url).pathname.slice(1));
  project.provide('inMemory', folder !== undefined);
  return () => server[Symbol.asyncDispose]();
}
