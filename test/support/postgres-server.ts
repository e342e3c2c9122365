/**
 * One PostgreSQL server for all tests of a run that need one.
 */
import type { TestProject } from 'vitest/node';
import { TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server. */
    postgres: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await new TestPostgres().start();
  project.provide('postgres', server.url('postgres'));
  return () => server[Symbol.asyncDispose]();
}
