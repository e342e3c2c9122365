/**
 * The operator's part of the store: writes go with all others, whatever may take long gets a thread.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { OperatorFailure, operatorFailureFrom } from '../../operator/failure.ts';
import type { OperatorStore } from '../operator-records.ts';
import type { ReportStore } from '../report-records.ts';
import type { OperatorTaskArguments, OperatorTaskName, OperatorTaskResult } from '../sql/operator-tasks.ts';
import type { GroupCommit } from './group-commit.ts';
import type { OperatorWorkerAnswer, OperatorWorkerData } from './operator-worker.ts';

/** @param path the database file */
export function operatorStore(writer: GroupCommit, path: string): OperatorStore & ReportStore {
  /** @throws OperatorFailure; Error with the reason why the task failed */
  async function runApart(task: OperatorWorkerData['task'], args: unknown[]): Promise<unknown> {
    const workerData: OperatorWorkerData = { path, task, args };
    const worker = new Worker(new URL('./operator-worker.ts', import.meta.url), { workerData });
    // A relay that stops does not wait for it.
    worker.unref();
    const [answer] = (await once(worker, 'message')) as [OperatorWorkerAnswer];
    if ('failure' in answer) throw operatorFailureFrom(answer.failure);
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  }

  function perform<N extends OperatorTaskName>(
    task: N,
    args: OperatorTaskArguments<N>,
  ): Promise<OperatorTaskResult<N>> {
    return runApart(task, args) as Promise<OperatorTaskResult<N>>;
  }

  return {
    measure: () => ({
      commits: writer.commits,
      queuedBytes: writer.waitingBytes,
      databaseBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    }),
    readStats: () => perform('readStats', []),
    listUsage: (...args) => perform('listUsage', args),
    listReports: (...args) => perform('listReports', args),
    saveReport: (...args) => writer.run('saveReport', args),
    resolveReport: (...args) => writer.run('resolveReport', args),
    listHandles: (...args) => perform('listHandles', args),
    listGroups: (...args) => perform('listGroups', args),
    listAccountInvitations: (...args) => perform('listAccountInvitations', args),
    revokeAccountInvitation: (...args) => writer.run('revokeAccountInvitation', args),
    listAdmitted: (...args) => perform('listAdmitted', args),
    setAdmitted: (...args) => writer.run('setAdmitted', args),
    readAudit: (...args) => perform('readAudit', args),
    verifyAudit: () => perform('verifyAudit', []),
    async backUp(file, now) {
      const copied = runApart('backUp', [file]) as Promise<number>;
      const bytes = await copied.catch((error: Error) => {
        if (error instanceof OperatorFailure) throw error;
        throw new OperatorFailure('backup_failed', { file, reason: error.message.replace(/\.$/, '') });
      });
      await writer.run('recordBackup', [bytes, now]);
      return bytes;
    },

    setHandleVerified: (...args) => writer.run('setHandleVerified', args),
    setGroupVerified: (...args) => writer.run('setGroupVerified', args),
    setSuspended: (...args) => writer.run('setSuspended', args),
    removeGroup: (...args) => writer.run('removeGroup', args),
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
