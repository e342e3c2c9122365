/**
 * A thread for one task of the operator, so that no request waits for it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { OperatorFailure, type OperatorFailureData } from '../../operator-failure.ts';
import { openForReading } from './database.ts';
import { OPERATOR_TASKS, type OperatorTaskName } from './operator-tasks.ts';

export interface OperatorWorkerData {
  /** The database file. */
  path: string;
  task: OperatorTaskName;
  args: unknown[];
}

export type OperatorWorkerAnswer = { value: unknown } | { failure: OperatorFailureData } | { error: string };

function run({ path, task, args }: OperatorWorkerData): OperatorWorkerAnswer {
  const database = openForReading(path);
  try {
    const perform = OPERATOR_TASKS[task] as (...args: unknown[]) => unknown;
    return { value: perform(database, ...args) };
  } catch (error) {
    if (error instanceof OperatorFailure) return { failure: error.data };
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    database.close();
  }
}

parentPort?.postMessage(run(workerData as OperatorWorkerData));
