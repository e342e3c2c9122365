/**
 * Makes and restores backups. The engine's thread reads and merges records in short slices; the file thread seals, writes and
 * verifies.
 *
 * This file has the order of the steps, their progress and their end. The format of a backup belongs in src/archive, reading
 * and writing files in src/engine/archive, rules of merging in src/engine/history, and the time of automatic backups in
 * ./automatic.ts.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BLOCK_BYTES } from '../../archive/form.ts';
import type { FileRecord, HistoryRecord } from '../../archive/history-records.ts';
import type { BackupSecrets } from '../../archive/keys.ts';
import { pause } from '../../base/backoff.ts';
import { Failure, type FailureData, failedWith } from '../../base/failure.ts';
import { log, stopwatch } from '../../base/log.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { failureOf } from '../answer.ts';
import type { MessageBlocks, OpenedBackup } from '../archive/functions.ts';
import type { LastBackup, StoredRestore } from '../cache/backup-rows.ts';
import type { Context } from '../context.ts';
import type { FileThread } from '../files/thread.ts';
import { HistoryMerge, numberingFor, OWN_HISTORY } from '../history/merge.ts';
import { mergeInSlices, pruneInSlices } from '../history/merge-slices.ts';
import { HistoryReader } from '../history/read.ts';
import { Calls } from './calls.ts';
import { Lines } from './lines.ts';
import { RecordLines } from './record-lines.ts';

/** Messages of one range: `changed_ranges` in src/engine/cache/migrations.ts has their numbers divided by this. */
const RANGE = 256;
/** Number of records of people in one block. */
const BLOCK_OF_PEOPLE = 64;
/** The longest wait for a disk after a stop, in milliseconds. */
const STOP_WITHIN = 5_000;
/** Files that one transaction looks up. */
const FILES_TOGETHER = 200;

/** The work in progress. `done` of `total` are blocks, files or bytes: only their ratio is meaningful. */
export interface BackupProgress {
  is: 'making' | 'verifying' | 'checking' | 'restoring';
  done: number;
  total: number;
}

export interface BackupState {
  last: LastBackup | null;
  progress: BackupProgress | null;
  /** Failure of the last backup or restore since the start. */
  problem: FailureData | null;
  /** A restore is incomplete, and its file is needed to continue. */
  isRestoreOpen: boolean;
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
}

export class Backups {
  readonly #context: Context;
  readonly #thread: FileThread;
  readonly #onRestored: () => void;
  #progress: BackupProgress | null = null;
  #problem: FailureData | null = null;
  #folderProblem: FailureData | null = null;
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
      return (await this.#make(null)).made;
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
      const { made, digest: written } = await this.#make(ranges);
      // Unless the person chose another folder meanwhile.
      if (backupRows.folder()?.path === path) transaction(() => backupRows.setBackedUp(written, made.at));
    };
    await this.#run({ is: 'making', done: 0, total: 1 }, work).catch(() => undefined);
    [this.#folderProblem, this.#problem] = [this.#problem, null];
    this.#isAutomatic = false;
    if (!this.#closed) this.#context.emit('backup.changed', {});
  }

  /** Backs up everything that has begun. @param ranges of messages; null: all */
  async #make(ranges: ReadonlySet<number> | null): Promise<{ made: LastBackup; digest: string | null }> {
    const ms = stopwatch();
    const { backupRows, diskUse, files, historyRows } = this.#context;
    const reader = new HistoryReader(this.#context);
    const account = reader.account();
    const { first, last } = historyRows.ends();
    const fileBytes = diskUse.fileBytes();
    await this.#backUpPeople(reader, account);
    const count = ranges ? ranges.size * RANGE : last - first + 1;
    // Half of the work, unless there are large files.
    const [ofMessages, total] = [count * ASSUMED_BYTES, fileBytes + count * ASSUMED_BYTES];
    let [messagesDone, filesDone] = [0, 0];
    const leftOut: number[] = [];
    const report = () => this.#report({ is: 'making', done: messagesDone + filesDone, total });
    const backUpMessages = async (signal: AbortSignal) => {
      const [lines, calls] = [new Lines(BLOCK_BYTES), new Calls()];
      for (const range of ranges
        ? [...ranges].toSorted((one, other) => one - other)
        : this.#ranges(first, last)) {
        signal.throwIfAborted();
        await this.#backUpRange(reader, range, lines, calls);
        const upTo = ranges ? messagesDone / ASSUMED_BYTES + RANGE : (range + 1) * RANGE - first;
        messagesDone = Math.min(upTo * ASSUMED_BYTES, ofMessages);
        report();
      }
      await calls.end();
    };
    const backUpFiles = async (signal: AbortSignal) => {
      for (const some of reader.files()) {
        for (const { id, bytes, record } of some) {
          signal.throwIfAborted();
          this.#requireRunning();
          const isAdded = await this.#thread.call((functions) => functions.backUpFile(id, record, bytes));
          if (!isAdded) leftOut.push(id);
          filesDone = Math.min(filesDone + bytes, fileBytes);
          report();
        }
      }
    };
    // This thread has the most work with messages, and the file thread with files.
    await together([backUpMessages, backUpFiles]);
    this.#report({ is: 'verifying', done: 0, total });
    const facts = { address: account.address, at: account.at, lastArrival: account.lastArrival };
    const { bytes, messages, digest } = await this.#thread.call((functions) => functions.finishBackup(facts));
    // Others were deleted while the backup was made.
    const missingFiles = leftOut.filter((id) => files.get(id)?.isHere).length;
    const made = { at: account.at, bytes, missingFiles };
    backupRows.setLast(made);
    log('info', 'backup.made', { ms: ms(), count: messages });
    if (missingFiles > 0) log('warn', 'backup.files_missing', { count: missingFiles });
    return { made, digest };
  }

  /** Ranges with messages, ascending. */
  *#ranges(first: number, last: number): Generator<number> {
    for (let next: number | null = first; next !== null && next <= last; ) {
      const range = Math.floor(next / RANGE);
      yield range;
      next = this.#context.historyRows.nextId((range + 1) * RANGE);
    }
  }

  /** A block ends by the names of its records, so that a changed or added one leaves the other blocks as they are. */
  async #backUpPeople(reader: HistoryReader, account: HistoryRecord): Promise<void> {
    const lines = new Lines(BLOCK_BYTES);
    const end = async () => {
      const text = lines.end();
      if (text.length > 0) await this.#thread.call((functions) => functions.backUpPeople(text));
    };
    lines.add(account);
    await end();
    for (const records of reader.people()) {
      this.#requireRunning();
      for (const record of records) {
        lines.add(record);
        if (lines.length >= BLOCK_BYTES || endsBlock(record)) await end();
      }
      await setImmediate();
    }
    await end();
  }

  /**
   * @param lines without any
   * @param calls of the file thread: it seals one block while the next is read
   */
  async #backUpRange(reader: HistoryReader, range: number, lines: Lines, calls: Calls): Promise<void> {
    let [messages, isFirst] = [0, true];
    const end = async () => {
      const [text, part] = [lines.end(), { range, messages, isFirst }];
      [messages, isFirst] = [0, false];
      await calls.begin(() => this.#thread.call((functions) => functions.backUpMessages(text, part)));
    };
    for (const records of reader.messages(range * RANGE, (range + 1) * RANGE)) {
      this.#requireRunning();
      for (const record of records) {
        lines.add(record);
        if (record.event === null) messages += 1;
        if (lines.length >= BLOCK_BYTES) await end();
      }
      await setImmediate();
    }
    if (lines.length > 0 || isFirst) await end();
  }

  /**
   * Merges a backup into this account. It is verified completely before anything changes.
   * @throws Failure
   */
  restore(path: string, secrets: BackupSecrets): Promise<RestoredBackup> {
    return this.#run({ is: 'checking', done: 0, total: 1 }, async () => {
      const own = this.#ownAddress();
      const opened = await this.#thread.call((functions) => functions.openBackup(path, secrets, own));
      this.#report({ is: 'checking', done: 0, total: opened.bytes });
      await this.#thread.call((functions) => functions.verifyBackup());
      const { backupRows } = this.#context;
      const before = backupRows.restore();
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
      };
      backupRows.beginRestore(stored);
      await this.#merge(opened, stored);
      return { at: opened.at, skipped: opened.skipped };
    });
  }

  /** Continues a restore that a restart has interrupted. Its problem is in the state. */
  async resume(): Promise<void> {
    const stored = this.#context.backupRows.restore();
    if (!stored) return;
    await this.#run({ is: 'restoring', done: 0, total: 1 }, async () => {
      const own = this.#ownAddress();
      const opened = await this.#thread.call((functions) =>
        functions.openBackup(stored.path, { key: stored.key }, own),
      );
      if (opened.digest !== stored.digest) throw new Failure('backup_unknown');
      await this.#merge(opened, stored);
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
    // The disk does not answer. What is written stays as after a kill.
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

  async #merge(opened: OpenedBackup, stored: StoredRestore): Promise<void> {
    const ms = stopwatch();
    const { backupRows, withoutSync } = this.#context;
    const merge = new HistoryMerge(this.#context, opened.address, stored, OWN_HISTORY);
    const total = opened.people + opened.history + opened.files.length;
    let { done } = stored;
    const report = (shown: number) => this.#report({ is: 'restoring', done: shown, total });
    const advance = (blocks = 1) => {
      done += blocks;
      withoutSync(() => backupRows.setRestored(done));
      report(done);
    };
    while (done < opened.people) {
      const index = done;
      const lines = await this.#thread.call((functions) => functions.readPeople(index));
      await this.#mergeLines(merge, lines, () => undefined);
      advance();
    }
    // The newest first: they are usable at once.
    const unread = opened.people + opened.history - done;
    for await (const { lines, blocks } of this.#messagesBefore(Math.max(0, unread))) {
      await this.#mergeLines(merge, lines, (share) => report(done + share * blocks));
      advance(blocks);
    }
    while (done < total) {
      const index = done - opened.people - opened.history;
      await this.#restoreFile(opened.files[index], index);
      advance();
    }
    await this.#thread.order((functions) => functions.endBackup());
    await pruneInSlices(this.#context, () => this.#requireRunning());
    merge.end();
    backupRows.endRestore();
    this.#onRestored();
    this.#context.emit('conversations.changed', { ids: [] });
    log('info', 'backup.restored', { ms: ms(), count: merge.added });
  }

  /** Messages of the blocks before one. The next ones are read while the caller works on some. */
  async *#messagesBefore(block: number): AsyncGenerator<MessageBlocks> {
    const readAhead = (before: number) => {
      const read = this.#thread.call((functions) => functions.readMessages(before));
      // Its failure is that of the next step.
      read.catch(() => undefined);
      return read;
    };
    let ahead = block > 0 ? readAhead(block) : null;
    for (let left = block; ahead; ) {
      const read: MessageBlocks = await ahead;
      left -= read.blocks;
      ahead = left > 0 ? readAhead(left) : null;
      yield read;
    }
  }

  /** @param onMerged called before each slice, with the merged share of the lines */
  async #mergeLines(
    merge: HistoryMerge,
    lines: Uint8Array,
    onMerged: (share: number) => void,
  ): Promise<void> {
    const records = new RecordLines(lines);
    await mergeInSlices(this.#context, merge, records, () => {
      this.#requireRunning();
      onMerged(records.share);
    });
  }

  async #restoreFile(file: FileRecord | undefined, index: number): Promise<void> {
    this.#requireRunning();
    const { files, historyRows, withoutSync } = this.#context;
    const id = file && historyRows.fileOf(decodeBase64Url(file.key), decodeBase64Url(file.digest), file.size);
    const stored = id == null ? null : files.get(id);
    // No message here has it, or it is here or being downloaded.
    if (!file || !stored || stored.isHere || stored.task) {
      if (index % FILES_TOGETHER === 0) await setImmediate();
      return;
    }
    await this.#thread.call((functions) => functions.restoreFile(index, stored.id));
    // After a power cut it is restored again. Its bytes are on the disk.
    withoutSync(() => files.setDownloaded(stored.id, file.mediaType ?? 'application/octet-stream'));
    for (const { conversationId } of files.messagesOf(stored.id))
      this.#context.emit('messages.changed', { conversationId: String(conversationId) });
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

  #requireRunning(): void {
    if (this.#isStopped) throw new Failure('backup_stopped');
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

/**
 * Does several works at the same time, up to the end of each.
 * @param works with a signal that is aborted by the failure of another one
 * @throws the first failure
 */
async function together(works: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const stop = new AbortController();
  await Promise.allSettled(
    works.map((work) => work(stop.signal).catch((error: unknown) => stop.abort({ error }))),
  );
  if (stop.signal.aborted) throw stop.signal.reason.error;
}

/** Bytes that the progress of a backup counts for one message. */
const ASSUMED_BYTES = 1024;

/** Decides by the name of a record alone. */
function endsBlock(record: HistoryRecord): boolean {
  const name = nameOf(record);
  if (name === null) return false;
  return createHash('sha256').update(name).digest().readUInt16BE() % BLOCK_OF_PEOPLE === 0;
}

function nameOf(record: HistoryRecord): string | null {
  switch (record.type) {
    case 'contact':
      return record.address;
    case 'setting':
      return record.key;
    case 'conversation':
      return record.conversation;
    default:
      return null;
  }
}
