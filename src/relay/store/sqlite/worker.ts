/**
 * The writer thread: the only connection that writes. It runs each flush of operations in one transaction, and
 * answers when the commit is on the disk. The same entry serves the threads of long reads and of checkpoints, for a host with a
 * bundler.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { OperatorFailure, type OperatorFailureData } from '../../operator/failure.ts';
import { AccountGone, type EnvelopesToAccept, TooManyChanges } from '../records.ts';
import { Checkpoints, serveCheckpoints } from './checkpoints.ts';
import { asSql, damageIn, hasDiskFailed, openForWriting, reasonOf } from './database.ts';
import { HashMover } from './hash-index.ts';
import { serveLongReads } from './long-reads-thread.ts';
import { DATABASE_REPLACED, OpenFiles } from './open-files.ts';
import { type PackedMail, type PackedOutcomes, packOutcomes, unpackMail } from './packed-mail.ts';
import { type OperationResult, type Operations, prepareWriterOperations } from './writer-operations.ts';

/** The data of a thread of the store: the database file, and for the writer the entry of the threads. */
export type StoreThreadData =
  | { role: 'writer'; path: string; entry: string }
  | { role: 'long reads' | 'checkpoints'; path: string };

/** A request to the thread: a flush, or to close. */
export type WriterRequest = { kind: 'flush'; operations: (Operation | MailOperations)[] } | { kind: 'close' };
export interface Operation {
  name: keyof Operations;
  args: unknown[];
}
/** Consecutive operations that accept mail, of one request each. They share one call. */
export interface MailOperations {
  mail: PackedMail;
}

/** Its answer. Outcomes are in the order of the operations. */
export type WriterAnswer =
  | { kind: 'ready' }
  | { kind: 'unusable'; failure: OperatorFailureData }
  | { kind: 'committed'; outcomes: (Outcome | MailOutcomes)[] }
  | { kind: 'not_committed'; reason: string; fatal: boolean }
  /** No write can be trusted before a restart. */
  | { kind: 'broken'; reason: string }
  | { kind: 'closed' };
/** `wait`: the operation was refused with TooManyChanges. `gone`: with AccountGone. */
export type Outcome = { value: unknown } | { error: string } | { wait: number } | { gone: true };
/** The outcomes of the envelopes of several operations, and the number of envelopes of each. */
export interface MailOutcomes {
  mail: PackedOutcomes;
  sizes: number[];
}

const port = parentPort;
if (!port) throw new Error('store/sqlite/worker.ts runs in a worker thread');
const answer = (message: WriterAnswer) => port.postMessage(message);

function start(path: string, entry: URL): void {
  const database = openForWriting(path);
  const checkpoints = new Checkpoints(database, {
    entry,
    path,
    onFailed: (reason) => answer({ kind: 'broken', reason }),
  });
  const hashes = new HashMover(database);
  const files = new OpenFiles(path);
  const operations = prepareWriterOperations(asSql(database));
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const savepoint = database.prepare('SAVEPOINT operation');
  const release = database.prepare('RELEASE operation');
  const undo = database.prepare('ROLLBACK TO operation');

  /**
   * Runs one operation. Its failure undoes only itself, unless SQLite has already rolled back the whole transaction. No part of a
   * failed statement may remain: many rows are inserted with OR FAIL, which undoes nothing.
   * @param isAlone true if the transaction contains nothing else: a savepoint would copy each changed page
   */
  async function run({ name, args }: Operation, isAlone: boolean): Promise<Outcome> {
    if (!isAlone) savepoint.run();
    try {
      const operation = operations[name] as (...args: unknown[]) => unknown;
      const value = await operation(...args);
      if (!isAlone) release.run();
      return { value };
    } catch (error) {
      if (hasDiskFailed(error) || !database.inTransaction) throw error;
      if (isAlone) {
        rollback.run();
        hashes.afterRollback();
        begin.run();
        hashes.afterBegin();
      } else {
        undo.run();
        release.run();
      }
      if (error instanceof TooManyChanges) return { wait: error.wait };
      return error instanceof AccountGone ? { gone: true } : { error: reasonOf(error) };
    }
  }

  /** Accepts the mail of several operations. If that fails, each gets its own call. */
  async function runMail({ mail }: MailOperations, isAlone: boolean): Promise<(Outcome | MailOutcomes)[]> {
    const requests = unpackMail(mail);
    const accept = (some: EnvelopesToAccept[], isAlone: boolean) =>
      run({ name: 'acceptEnvelopes', args: [some] }, isAlone);
    const outcome = await accept(requests, isAlone);
    if ('value' in outcome) {
      const packed = packOutcomes((outcome.value as OperationResult<'acceptEnvelopes'>).flat());
      return [{ mail: packed, sizes: mail.sizes }];
    }
    if (requests.length === 1) return [outcome];
    const outcomes: Outcome[] = [];
    for (const request of requests) outcomes.push(await accept([request], false));
    return outcomes;
  }

  async function flush(batch: readonly (Operation | MailOperations)[]): Promise<WriterAnswer> {
    try {
      begin.run();
      hashes.afterBegin();
      const outcomes: (Outcome | MailOutcomes)[] = [];
      const isAlone = batch.length === 1;
      for (const each of batch) {
        if ('mail' in each) outcomes.push(...(await runMail(each, isAlone)));
        else outcomes.push(await run(each, isAlone));
      }
      hashes.beforeCommit();
      commit.run();
      if (!files.areInPlace()) {
        files.separateLog();
        return { kind: 'not_committed', reason: DATABASE_REPLACED, fatal: true };
      }
      return { kind: 'committed', outcomes };
    } catch (error) {
      if (database.inTransaction) rollback.run();
      const fatal = hasDiskFailed(error);
      if (!fatal) hashes.afterRollback();
      return { kind: 'not_committed', reason: reasonOf(error), fatal };
    }
  }

  // One at a time: the next request follows the answer to this one.
  port?.on('message', async (request: WriterRequest) => {
    if (request.kind === 'flush') {
      answer(await flush(request.operations));
      return checkpoints.afterCommit();
    }
    await checkpoints.close();
    database.close();
    answer({ kind: 'closed' });
    port.close();
  });
}

function startWriter(path: string, entry: URL): void {
  try {
    start(path, entry);
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

const data = workerData as StoreThreadData;
if (data.role === 'writer') startWriter(data.path, new URL(data.entry));
else if (data.role === 'long reads') serveLongReads(data.path, port);
else serveCheckpoints(data.path, port);
