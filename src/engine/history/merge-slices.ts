/**
 * Merges many records in slices of the engine's thread, for a backup and for the history of another own device. Chat by chat: a
 * transaction then writes about half of the pages, because most indexes of messages begin with the conversation or the sender.
 */
import { setImmediate } from 'node:timers/promises';
import type { HistoryRecord } from '../../archive/history-records.ts';
import type { Context } from '../context.ts';
import type { HistoryMerge } from './merge.ts';

/** Records of one slice: about 5 ms. */
export const SLICE = 24;

/**
 * Merges records: other ones before messages, and those of each chat in their order. A power cut may undo slices: the caller
 * stores its progress afterwards, and otherwise merges the records again.
 * @param requireRunning called before each slice: it throws to end the work
 */
export async function mergeInSlices(
  { moveLog, withoutSync }: Pick<Context, 'moveLog' | 'withoutSync'>,
  merge: HistoryMerge,
  records: readonly HistoryRecord[],
  requireRunning: () => void,
): Promise<void> {
  const ordered = byConversation(records);
  for (let first = 0; first < ordered.length; first += SLICE) {
    requireRunning();
    withoutSync(() => merge.merge(ordered.slice(first, first + SLICE)));
    await setImmediate();
    if (moveLog()) await setImmediate();
  }
}

/** Messages with those of the same conversation together, each of these in its order, after other records. */
function byConversation(records: readonly HistoryRecord[]): HistoryRecord[] {
  const named = records.map((record) => ({
    record,
    name: record.type === 'message' ? record.conversation : '',
  }));
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return named.toSorted((one, other) => order(one.name, other.name)).map(({ record }) => record);
}
