/**
 * Reads of several statements that see one moment, on their own connection: on a shared one each statement
 * sees the newest commit.
 */
import type { Database } from './database.ts';

/** Runs reads in one transaction. The connection must not run anything else meanwhile. */
export async function inOneMoment<T>(database: Database, read: () => T | Promise<T>): Promise<T> {
  database.exec('BEGIN');
  try {
    return await read();
  } finally {
    database.exec('COMMIT');
  }
}

/** Runs such reads one after the other. Each lasts only as long as its statements: it waits for nothing. */
export class Snapshots {
  readonly #database: Database;
  readonly #watch: <T>(read: () => Promise<T>) => Promise<T>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param watch runs each read */
  constructor(database: Database, watch: <T>(read: () => Promise<T>) => Promise<T>) {
    this.#database = database;
    this.#watch = watch;
  }

  run<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#watch(() => inOneMoment(this.#database, read)));
    this.#last = result.catch(() => undefined);
    return result;
  }
}
