/** Makes a backup that has begun in the file thread: people, messages and files, then verifies it. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BLOCK_BYTES } from '../../archive/form.ts';
import type { HistoryRecord } from '../../archive/history-records.ts';
import { log, stopwatch } from '../../base/log.ts';
import type { LastBackup } from '../cache/backup-rows.ts';
import { type FileOnDisk, HistoryReader } from '../history/read.ts';
import { Calls } from './calls.ts';
import { Lines } from './lines.ts';
import type { BackupWork } from './work.ts';

/** Messages of one range: `changed_ranges` in src/engine/cache/schema.ts has their numbers divided by this. */
const RANGE = 256;
/** Number of records of people in one block. */
const BLOCK_OF_PEOPLE = 64;
/**
 * Bytes of the files in pending calls of the file thread. This thread receives answers only between two slices of its own work: with
 * several pending calls the file thread does not wait for that.
 */
const FILE_BYTES_AHEAD = 64 * 1024 * 1024;
/** A smaller file counts as one of this size. */
const LEAST_FILE_BYTES = 4 * 1024 * 1024;
/** Bytes that the progress of a backup counts for one message. */
const ASSUMED_BYTES = 1024;

/** Backs up everything that has begun. @param ranges of messages; null: all */
export async function makeBackup(
  work: BackupWork,
  ranges: ReadonlySet<number> | null,
): Promise<{ made: LastBackup; digest: string | null }> {
  const ms = stopwatch();
  const { backupRows, diskUse, files, historyRows } = work.context;
  const reader = new HistoryReader(work.context);
  const account = reader.account();
  const { first, last } = historyRows.ends();
  const fileBytes = diskUse.fileBytes();
  await backUpPeople(work, reader, account);
  const count = ranges ? ranges.size * RANGE : last - first + 1;
  // Half of the work, unless there are large files.
  const [ofMessages, total] = [count * ASSUMED_BYTES, fileBytes + count * ASSUMED_BYTES];
  let [messagesDone, filesDone] = [0, 0];
  const leftOut: number[] = [];
  const report = () => work.report({ is: 'making', done: messagesDone + filesDone, total });
  const backUpMessages = async (signal: AbortSignal) => {
    const [lines, calls] = [new Lines(BLOCK_BYTES), new Calls(1)];
    try {
      for (const range of ranges
        ? [...ranges].toSorted((one, other) => one - other)
        : rangesBetween(work, first, last)) {
        signal.throwIfAborted();
        await backUpRange(work, reader, range, lines, calls);
        const upTo = ranges ? messagesDone / ASSUMED_BYTES + RANGE : (range + 1) * RANGE - first;
        messagesDone = Math.min(upTo * ASSUMED_BYTES, ofMessages);
        report();
      }
    } finally {
      await calls.end();
    }
  };
  const backUpFile = async ({ id, bytes, record }: FileOnDisk) => {
    const isAdded = await work.thread.call((functions) => functions.backUpFile(id, record, bytes));
    if (!isAdded) leftOut.push(id);
    filesDone = Math.min(filesDone + bytes, fileBytes);
    report();
  };
  const backUpFiles = async (signal: AbortSignal) => {
    const calls = new Calls(FILE_BYTES_AHEAD);
    try {
      for (const some of reader.files()) {
        for (const file of some) {
          signal.throwIfAborted();
          work.requireRunning();
          await calls.begin(() => backUpFile(file), Math.max(file.bytes, LEAST_FILE_BYTES));
        }
      }
    } finally {
      // Their reports belong to this backup.
      await calls.end();
    }
  };
  // This thread has the most work with messages, and the file thread with files.
  await together([backUpMessages, backUpFiles]);
  work.report({ is: 'verifying', done: 0, total });
  const facts = { address: account.address, at: account.at, lastArrival: account.lastArrival };
  const { bytes, messages, digest } = await work.thread.call((functions) => functions.finishBackup(facts));
  // Others were deleted while the backup was made.
  const missingFiles = leftOut.filter((id) => files.get(id)?.isHere).length;
  const made = { at: account.at, bytes, missingFiles };
  backupRows.setLast(made);
  log('info', 'backup.made', { ms: ms(), count: messages });
  if (missingFiles > 0) log('warn', 'backup.files_missing', { count: missingFiles });
  return { made, digest };
}

/** Ranges with messages, ascending. */
function* rangesBetween(work: BackupWork, first: number, last: number): Generator<number> {
  for (let next: number | null = first; next !== null && next <= last; ) {
    const range = Math.floor(next / RANGE);
    yield range;
    next = work.context.historyRows.nextId((range + 1) * RANGE);
  }
}

/** A block ends by the names of its records, so that a changed or added one leaves the other blocks as they are. */
async function backUpPeople(work: BackupWork, reader: HistoryReader, account: HistoryRecord): Promise<void> {
  const lines = new Lines(BLOCK_BYTES);
  const end = async () => {
    const text = lines.end();
    if (text.length > 0) await work.thread.call((functions) => functions.backUpPeople(text));
  };
  lines.add(account);
  await end();
  for (const records of reader.people()) {
    work.requireRunning();
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
async function backUpRange(
  work: BackupWork,
  reader: HistoryReader,
  range: number,
  lines: Lines,
  calls: Calls,
): Promise<void> {
  let [messages, isFirst] = [0, true];
  const end = async () => {
    const [text, part] = [lines.end(), { range, messages, isFirst }];
    [messages, isFirst] = [0, false];
    await calls.begin(async () => {
      await work.thread.call((functions) => functions.backUpMessages(text, part));
    });
  };
  for (const records of reader.messages(range * RANGE, (range + 1) * RANGE)) {
    work.requireRunning();
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
