/** Merges many records in slices of the engine's thread, for a backup and for the history of another own device. */
import type { HistoryRecord } from '../../archive/history-records.ts';
import type { Context } from '../context.ts';
import type { HistoryMerge } from './merge.ts';

/** Goal for the length of a slice with its commit, in milliseconds: a call of the engine waits for one slice and moving the log. */
export const SLICE = 8;
/** Commit of one record, as assumed before the first one, in milliseconds. */
const FIRST_COMMIT = SLICE / 16;
/** The longest assumed commit of one record: another program may have stopped this one. */
const LONGEST_COMMIT = SLICE / 8;

/**
 * Merges records in their order, in transactions of about {@link SLICE}, each with one record at least. A power cut may undo slices:
 * the caller stores its progress afterwards, and otherwise merges the records again.
 * @param records null for one to pass over
 * @param requireRunning called before each slice: it throws to end the work
 * @param clock the time, in milliseconds from any beginning
 */
export async function mergeInSlices(
  { moveLog, turns, withoutSync }: Pick<Context, 'moveLog' | 'turns' | 'withoutSync'>,
  merge: Pick<HistoryMerge, 'merge' | 'eraseTraces'>,
  records: Iterator<HistoryRecord | null, undefined>,
  requireRunning: () => void,
  clock: () => number = () => performance.now(),
): Promise<void> {
  let commit = FIRST_COMMIT;
  /** Removes erased texts and moves the log after a slice. @returns whether there was anything */
  const tidy = () => merge.eraseTraces() || moveLog();
  for (let isDone = false; !isDone; ) {
    await turns.next();
    if (tidy()) await turns.next();
    requireRunning();
    const begin = clock();
    let [end, count] = [begin, 0];
    const slice = function* () {
      do {
        const { done, value } = records.next();
        if (done) {
          isDone = true;
          return;
        }
        if (value) yield value;
        count += 1;
        end = clock();
      } while (end - begin + (count + 1) * commit < SLICE);
    };
    withoutSync(() => merge.merge(slice()));
    if (count > 0) commit = (commit + Math.min(LONGEST_COMMIT, (clock() - end) / count)) / 2;
  }
  await turns.next();
  tidy();
}

/**
 * Removes people and requests beyond the limits after a merge, some in each slice.
 * @param requireRunning called before each slice: it throws to end the work
 */
export async function pruneInSlices(
  {
    moveLog,
    strangers,
    transaction,
    turns,
  }: Pick<Context, 'moveLog' | 'strangers' | 'transaction' | 'turns'>,
  requireRunning: () => void,
): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    await turns.next();
    if (moveLog()) await turns.next();
    requireRunning();
    hasMore = transaction(() => strangers.pruneSome());
  }
}

/**
 * Sorts messages by their conversations, each of these in its order, after other records: most indexes of messages begin with the
 * conversation or the sender, so a transaction changes fewer pages of the database.
 */
export function byConversation(records: readonly HistoryRecord[]): HistoryRecord[] {
  const named = records.map((record) => ({
    record,
    name: record.type === 'message' ? record.conversation : '',
  }));
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return named.toSorted((one, other) => order(one.name, other.name)).map(({ record }) => record);
}
