/**
 * A thread for one task of the operator, so that no request waits for it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from './database.ts';
import { OPERATOR_TASKS, type OperatorTaskName } from './operator-tasks.ts';

export interface OperatorWorkerData {
  /** The database file. */
  path: string;
  task: OperatorTaskName;
  args: unknown[];
}

export type OperatorWorkerAnswer = { value: unknown } | { error: string };

function run({ path, task, args }: OperatorWorkerData): OperatorWorkerAnswer {
  const database = openForReading(path);
  try {
    const perform = OPERATOR_TASKS[task] as (...args: unknown[]) => unknown;
    return { value: perform(database, ...args) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    database.close();
  }
}

parentPort?.postMessage(run(workerData as OperatorWorkerData));
