/**
 * Makes and restores backups, one at a time. The engine's thread reads and merges records in short slices; the file thread seals,
 * writes and verifies.
 *
 * This file has the begin, the progress and the end of each, ./make.ts and ./restore.ts their steps. The format of a backup belongs in src/archive, reading
 * and writing files in src/engine/archive, rules of merging in src/engine/history, and the time of automatic backups in
 * ./automatic.ts.
 */
import type { BackupSecrets } from '../../archive/keys.ts';
import { pause } from '../../base/backoff.ts';
import { Failure, type FailureData, failedWith } from '../../base/failure.ts';
import { failureOf } from '../answer.ts';
import type { LastBackup } from '../cache/backup-rows.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';
import { numberingFor } from '../history/merge.ts';
import { makeBackup } from './make.ts';
import { mergeBackup } from './restore.ts';
import type { BackupProgress, BackupWork } from './work.ts';

/** The longest wait for a disk after a stop, in milliseconds. */
const STOP_WITHIN = 5_000;

export interface BackupState {
  last: LastBackup | null;
  progress: BackupProgress | null;
  /** Failure of the last backup or restore since the start. */
  problem: FailureData | null;
  /** A restore is incomplete, and its file is needed to continue. */
  isRestoreOpen: boolean;
  /** The restore that this start has continued to its end; null for none. */
  resumed: RestoredBackup | null;
  /** Automatic backups; null for none. */
  folder: {
    path: string;
    /** Time of the last one, in milliseconds since 1970; null before the first. */
    at: number | null;
    /** Failure of the last try since the start. */
    problem: FailureData | null;
  } | null;
}

/** A backup that is merged. */
export interface RestoredBackup {
  /** Time of its making, in milliseconds since 1970. */
  at: number;
  /** Number of newer backups in its folder that could not be opened. */
  skipped: number;
  /** Number of records in it that were left out. */
  leftOut: number;
}

export class Backups {
  readonly #context: Context;
  readonly #thread: FileThread;
  readonly #onRestored: () => void;
  readonly #work: BackupWork;
  #progress: BackupProgress | null = null;
  #problem: FailureData | null = null;
  #folderProblem: FailureData | null = null;
  #resumed: RestoredBackup | null = null;
  /** The work in progress is an automatic backup. */
  #isAutomatic = false;
  /** Resolves at the end of the work in progress. */
  #running: Promise<void> | null = null;
  #isStopped = false;
  #closed = false;

  /** @param onRestored called after a restore: its people do not know this computer */
  constructor(context: Context, thread: FileThread, onRestored: () => void) {
    this.#context = context;
    this.#thread = thread;
    this.#onRestored = onRestored;
    this.#work = {
      context,
      thread,
      report: (progress) => this.#report(progress),
      requireRunning: () => {
        if (this.#isStopped) throw new Failure('backup_stopped');
      },
    };
  }

  get state(): BackupState {
    const { backupRows } = this.#context;
    const folder = backupRows.folder();
    return {
      folder: folder && { path: folder.path, at: folder.at, problem: this.#folderProblem },
      last: backupRows.last(),
      progress: this.#progress,
      problem: this.#problem,
      isRestoreOpen: backupRows.restore() !== null,
      resumed: this.#resumed,
    };
  }

  /** Called by the file thread. @param bytes verified so far */
  verified(bytes: number): void {
    if (this.#progress) this.#report({ ...this.#progress, done: Math.min(bytes, this.#progress.total) });
  }

  /**
   * Makes a complete backup.
   * @param target path, replaced when the backup is verified
   * @throws Failure
   */
  make(target: string, secrets: BackupSecrets): Promise<LastBackup> {
    return this.#run({ is: 'making', done: 0, total: 1 }, async () => {
      await this.#thread.call((functions) => functions.beginBackup(target, secrets));
      return (await makeBackup(this.#work, null)).made;
    });
  }

  /** Makes the folder for automatic backups in a folder of the person. Its first backup is the next one. */
  async setFolder(parent: string, secrets: BackupSecrets): Promise<void> {
    this.#thread.requireAnswers();
    const folder = await this.#thread.call((functions) => functions.newBackupFolder(parent, secrets));
    const { backupRows, transaction } = this.#context;
    transaction(() => {
      backupRows.endFolder();
      backupRows.setFolder(folder);
    });
    this.#folderProblem = null;
    this.#context.emit('backup.changed', {});
  }

  /** Ends automatic backups. Those in the folder stay. */
  async endFolder(): Promise<void> {
    if (this.#progress && this.#isAutomatic) await this.stop();
    this.#context.transaction(() => this.#context.backupRows.endFolder());
    this.#folderProblem = null;
    this.#context.emit('backup.changed', {});
  }

  /** Makes an incremental backup in the chosen folder. Its problem is in the state. */
  async makeInFolder(): Promise<void> {
    const { backupRows, transaction } = this.#context;
    const folder = backupRows.folder();
    if (!folder || this.#progress) return;
    this.#isAutomatic = true;
    const work = async () => {
      const { path, header, key, digest } = folder;
      // Before the messages are read: a change in the meantime belongs to the next backup.
      const changed = transaction(() => backupRows.drainChanges());
      const needed = await this.#thread.call((functions) =>
        functions.beginFolderBackup({ path, header, key }, digest),
      );
      const ranges = needed.kind === 'all' ? null : new Set([...changed, ...needed.lost]);
      const { made, digest: written } = await makeBackup(this.#work, ranges);
      // Unless the person chose another folder meanwhile.
      if (backupRows.folder()?.path === path) transaction(() => backupRows.setBackedUp(written, made.at));
    };
    await this.#run({ is: 'making', done: 0, total: 1 }, work).catch(() => undefined);
    [this.#folderProblem, this.#problem] = [this.#problem, null];
    this.#isAutomatic = false;
    if (!this.#closed) this.#context.emit('backup.changed', {});
  }

  /**
   * Merges a backup into this account. It is verified completely before anything changes.
   * @throws Failure
   */
  restore(path: string, secrets: BackupSecrets): Promise<RestoredBackup> {
    if (!this.#progress) this.#resumed = null;
    return this.#run({ is: 'checking', done: 0, total: 1 }, async () => {
      const own = this.#ownAddress();
      const { backupRows } = this.#context;
      const before = backupRows.restore();
      const opened = await this.#withDamage(before?.path === path, () =>
        this.#thread.call((functions) => functions.openBackup(path, secrets, own)),
      );
      this.#report({ is: 'checking', done: 0, total: opened.bytes });
      await this.#withDamage(before?.digest === opened.digest, () =>
        this.#thread.call((functions) => functions.verifyBackup()),
      );
      // The same backup, from another place or after a failure.
      const numbering =
        before?.digest === opened.digest ? before : numberingFor(this.#context, opened.lastArrival);
      const stored = {
        ...{
          path: opened.path,
          key: opened.key,
          digest: opened.digest,
          shift: numbering.shift,
          ceiling: numbering.ceiling,
        },
        done: before?.digest === opened.digest ? before.done : 0,
        leftOut: before?.digest === opened.digest ? before.leftOut : 0,
        skipped: opened.skipped,
      };
      backupRows.beginRestore(stored);
      const leftOut = await this.#withDamage(true, () => mergeBackup(this.#work, opened, stored));
      this.#onRestored();
      return { at: opened.at, skipped: opened.skipped, leftOut };
    });
  }

  /** Continues a restore that a restart has interrupted. Its end or its problem is in the state. */
  async resume(): Promise<void> {
    const stored = this.#context.backupRows.restore();
    if (!stored) return;
    await this.#run({ is: 'restoring', done: 0, total: 1 }, async () => {
      const own = this.#ownAddress();
      const opened = await this.#withDamage(true, () =>
        this.#thread.call((functions) => functions.openBackup(stored.path, { key: stored.key }, own)),
      );
      if (opened.digest !== stored.digest) throw new Failure('backup_unknown');
      const leftOut = await this.#withDamage(true, () => mergeBackup(this.#work, opened, stored));
      // The stored path is that of the opened backup, not of the folder with the newer ones.
      this.#resumed = { at: opened.at, skipped: stored.skipped, leftOut };
      this.#onRestored();
    }).catch(() => undefined);
  }

  /** Ends the running backup or restore. A restore continues after a new start with its file. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const run = this.#running;
    if (!run) return;
    const end = new AbortController();
    void this.#thread.order((functions) => functions.endBackup()).catch(() => undefined);
    void run.finally(() => end.abort());
    await pause(STOP_WITHIN, end.signal);
    if (end.signal.aborted) return;
    // The disk does not answer. The written part remains, as after a crash.
    await this.#thread.replace();
    await run;
  }

  /** Cancels an incomplete restore. The merged data stays. */
  async giveUpRestore(): Promise<void> {
    await this.stop();
    this.#context.backupRows.endRestore();
    this.#problem = null;
    this.#context.emit('backup.changed', {});
  }

  close(): void {
    this.#closed = true;
    this.#isStopped = true;
  }

  async #run<T>(progress: BackupProgress, work: () => Promise<T>): Promise<T> {
    if (this.#progress) throw new Failure('backup_running');
    const end = Promise.withResolvers<void>();
    this.#running = end.promise;
    this.#isStopped = this.#closed;
    this.#problem = null;
    this.#report(progress);
    try {
      this.#thread.requireAnswers();
      return await work();
    } catch (failure) {
      // The thread was replaced.
      const error =
        this.#isStopped && failedWith(failure, 'closing') ? new Failure('backup_stopped') : failure;
      const isStop = failedWith(error, 'backup_stopped');
      if (!this.#closed) {
        await this.#thread.order((functions) => functions.endBackup()).catch(() => undefined);
        this.#problem = isStop ? null : failureOf(error);
      }
      throw error;
    } finally {
      this.#progress = null;
      this.#running = null;
      end.resolve();
      if (!this.#closed) this.#context.emit('backup.changed', {});
    }
  }

  /**
   * Runs a step of a restore. Damage that is found after a part was merged is reported as such.
   * @param isStored true if the stored progress is that of this backup
   */
  async #withDamage<T>(isStored: boolean, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const isPart = isStored && (this.#context.backupRows.restore()?.done ?? 0) > 0;
      throw isPart && failedWith(error, 'backup_damaged') ? new Failure('backup_damaged_in_part') : error;
    }
  }

  /** @throws Failure not_set_up */
  #ownAddress(): string {
    const own = this.#context.identity.get();
    if (!own) throw new Failure('not_set_up');
    return own.address;
  }

  #report(progress: BackupProgress): void {
    const before = this.#progress;
    this.#progress = progress;
    const step = ({ done, total }: BackupProgress) => Math.floor((100 * done) / Math.max(1, total));
    // A hundred events at most.
    if (!before || before.is !== progress.is || step(before) !== step(progress))
      this.#context.emit('backup.changed', {});
  }
}
