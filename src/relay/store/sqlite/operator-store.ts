/** The operator's part of the store: possibly long tasks get a thread of their own. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { OperatorFailure, operatorFailureFrom } from '../../operator/failure.ts';
import type { OperatorStore } from '../operator-records.ts';
import type { GroupCommit } from './group-commit.ts';
import type { OperatorWorkerAnswer, OperatorWorkerData } from './operator-worker.ts';

/**
 * Runs a task of the operator, or the backup, in a thread.
 * @param path the database file
 * @throws OperatorFailure; Error with the reason for the failure of the task
 */
export async function runTask(
  path: string,
  task: OperatorWorkerData['task'],
  args: readonly unknown[],
): Promise<unknown> {
  const workerData: OperatorWorkerData = { path, task, args: [...args] };
  const worker = new Worker(new URL('./operator-worker.ts', import.meta.url), { workerData });
  // The relay exits without waiting for it.
  worker.unref();
  const [answer] = (await once(worker, 'message')) as [OperatorWorkerAnswer];
  if ('failure' in answer) throw operatorFailureFrom(answer.failure);
  if ('error' in answer) throw new Error(answer.error);
  return answer.value;
}

/** @param path the database file */
export function operatorStore(
  writer: GroupCommit,
  path: string,
): Pick<OperatorStore, 'measure' | 'readStats' | 'backUp'> {
  return {
    measure: () => ({
      commits: writer.commits,
      queuedBytes: writer.waitingBytes,
      databaseBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    }),
    readStats: () => runTask(path, 'readStats', []) as ReturnType<OperatorStore['readStats']>,
    async backUp(file, now) {
      const copied = runTask(path, 'backUp', [file]) as Promise<number>;
      const bytes = await copied.catch((error: Error) => {
        if (error instanceof OperatorFailure) throw error;
        throw new OperatorFailure('backup_failed', { file, reason: error.message.replace(/\.$/, '') });
      });
      await writer.run('recordBackup', [bytes, now]);
      return bytes;
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
