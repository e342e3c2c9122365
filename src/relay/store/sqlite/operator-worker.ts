/** A thread for one task of the operator, so that no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { OperatorFailure, type OperatorFailureData } from '../../operator/failure.ts';
import { forbiddenByNode } from '../../operator/forbidden.ts';
import { OPERATOR_TASKS, type OperatorTaskName } from '../sql/operator-tasks.ts';
import { backUp } from './backup.ts';
import { asSql, openForReading } from './database.ts';

export interface OperatorWorkerData {
  /** The database file. */
  path: string;
  /** The name of a read, or the backup. */
  task: OperatorTaskName | 'backUp';
  args: unknown[];
}

export type OperatorWorkerAnswer = { value: unknown } | { failure: OperatorFailureData } | { error: string };

async function run({ path, task, args }: OperatorWorkerData): Promise<OperatorWorkerAnswer> {
  const database = openForReading(path);
  try {
    if (task === 'backUp') return { value: backUp(database, String(args[0])) };
    const perform = OPERATOR_TASKS[task] as (...args: unknown[]) => unknown;
    // All reads see one moment.
    database.exec('BEGIN');
    return { value: await perform(asSql(database), ...args) };
  } catch (error) {
    if (error instanceof OperatorFailure) return { failure: error.data };
    return { error: forbiddenByNode(error) ?? (error instanceof Error ? error.message : String(error)) };
  } finally {
    database.close();
  }
}

parentPort?.postMessage(await run(workerData as OperatorWorkerData));
