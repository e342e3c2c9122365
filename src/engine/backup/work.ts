import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';

/** The work in progress. `done` of `total` are blocks, files or bytes: only their ratio is meaningful. */
export interface BackupProgress {
  is: 'making' | 'verifying' | 'checking' | 'restoring';
  done: number;
  total: number;
}

/** The parts that the steps of a backup or restore use. */
export interface BackupWork {
  context: Context;
  thread: FileThread;
  report(progress: BackupProgress): void;
  /** @throws Failure backup_stopped, after a stop */
  requireRunning(): void;
}
