/**
 * The writer thread: the only connection that writes. It runs each flush of operations in one transaction, and
 * answers when the commit is on the disk. The same entry serves the thread of long reads, for a host with a
 * bundler.
 */

import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3-multiple-ciphers';
import { OperatorFailure, type OperatorFailureData } from '../../operator/failure.ts';
import { AccountGone, TooManyChanges } from '../records.ts';
import { asSql, damageIn, openForWriting } from './database.ts';
import { serveLongReads } from './long-reads-thread.ts';
import { type OperationArguments, type Operations, prepareWriterOperations } from './writer-operations.ts';

/** A request to the thread: a flush, or to close. */
export type WriterRequest = { kind: 'flush'; operations: Operation[] } | { kind: 'close' };
export interface Operation {
  name: keyof Operations;
  args: unknown[];
}

/** Its answer. Outcomes are in the order of the operations. */
export type WriterAnswer =
  | { kind: 'ready' }
  | { kind: 'unusable'; failure: OperatorFailureData }
  | { kind: 'committed'; outcomes: Outcome[] }
  | { kind: 'not_committed'; reason: string; fatal: boolean }
  | { kind: 'closed' };
/** `wait`: the operation was refused with TooManyChanges. `gone`: with AccountGone. */
export type Outcome = { value: unknown } | { error: string } | { wait: number } | { gone: true };

const port = parentPort;
if (!port) throw new Error('store/sqlite/worker.ts runs in a worker thread');
const answer = (message: WriterAnswer) => port.postMessage(message);

function start(path: string): void {
  const database = openForWriting(path);
  const operations = prepareWriterOperations(asSql(database));
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const savepoint = database.prepare('SAVEPOINT operation');
  const release = database.prepare('RELEASE operation');
  const undo = database.prepare('ROLLBACK TO operation');

  /**
   * Runs one operation. Its failure undoes only itself, unless SQLite has already rolled back the whole
   * transaction.
   */
  async function run({ name, args }: Operation): Promise<Outcome> {
    savepoint.run();
    try {
      const operation = operations[name] as (...args: unknown[]) => unknown;
      const value = await operation(...args);
      release.run();
      return { value };
    } catch (error) {
      if (isBroken(error) || !database.inTransaction) throw error;
      undo.run();
      release.run();
      if (error instanceof TooManyChanges) return { wait: error.wait };
      return error instanceof AccountGone ? { gone: true } : { error: reasonOf(error) };
    }
  }

  /** Operations that share one call. If that fails, each gets its own call. */
  async function runTogether(some: readonly Operation[]): Promise<Outcome[]> {
    const [first] = some;
    if (first && some.length > 1) {
      const requests = some.map(({ args }) => (args as OperationArguments<'acceptEnvelopes'>)[0]);
      const outcome = await run({ name: first.name, args: [requests.flat()] });
      if ('value' in outcome) {
        const values = (outcome.value as unknown[]).values();
        return requests.map((of) => ({ value: of.map(() => values.next().value) }));
      }
    }
    const outcomes: Outcome[] = [];
    for (const operation of some) outcomes.push(await run(operation));
    return outcomes;
  }

  async function flush(batch: Operation[]): Promise<WriterAnswer> {
    try {
      begin.run();
      const outcomes: Outcome[] = [];
      for (const some of together(batch)) outcomes.push(...(await runTogether(some)));
      commit.run();
      return { kind: 'committed', outcomes };
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      return { kind: 'not_committed', reason: reasonOf(error), fatal: isBroken(error) };
    }
  }

  // One at a time: the next request follows the answer to this one.
  port?.on('message', async (request: WriterRequest) => {
    if (request.kind === 'flush') return answer(await flush(request.operations));
    database.close();
    answer({ kind: 'closed' });
    port.close();
  });
}

/** Operations in their order; consecutive requests with mail share one call. */
function* together(batch: readonly Operation[]): Generator<readonly Operation[]> {
  for (let start = 0; start < batch.length; ) {
    let end = start + 1;
    if (batch[start]?.name === 'acceptEnvelopes') {
      while (batch[end]?.name === 'acceptEnvelopes') end++;
    }
    yield batch.slice(start, end);
    start = end;
  }
}

/** True if the disk or the file failed: no write can be trusted before a restart. */
function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(?:IOERR|CORRUPT|NOTADB)/.test(code);
}

/**
 * The part of an error for the log: SQLite's own message, which names tables and columns and never their content.
 * The message of another error may contain written values.
 */
function reasonOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.constructor.name : typeof error;
}

function startWriter(path: string): void {
  try {
    start(path);
    answer({ kind: 'ready' });
  } catch (error) {
    // Reported to the operator, and not logged.
    const reason = error instanceof Error ? error.message : String(error);
    answer({
      kind: 'unusable',
      failure:
        error instanceof OperatorFailure
          ? error.data
          : damageIn(error)
            ? { reason: 'database_damaged', parameters: { file: path, reason } }
            : { reason: 'database_unusable', parameters: { reason } },
    });
  }
}

const { path, readsOnly = false } = workerData as { path: string; readsOnly?: boolean };
if (readsOnly) serveLongReads(path, port);
else startWriter(path);
