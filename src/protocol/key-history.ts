/**
 * Checks whether an answer about published device lists belongs to its question: the same addresses, and only the
 * requested lists, in order. The proofs of the lists are checked later.
 */
import { HISTORY_PAGE, LAST_SEQUENCE, MAX_HISTORY_LISTS } from './limits.ts';
import type { KeyHistories, KeyHistory, KeyHistoryWant } from './schemas/directory.ts';

/**
 * Reports whether an answer has lists of this address after a number, ascending. It must not be empty if it announces
 * more.
 */
export function isHistoryOf(history: KeyHistory, want: { address: string; after: number }): boolean {
  const { lists, more } = history;
  return (
    isWithin(history, { ...want, upTo: LAST_SEQUENCE }) &&
    lists.length <= HISTORY_PAGE &&
    (lists.length > 0 || !more)
  );
}

/** Reports whether an answer has one history for each want, in order. If it was cut off, it must not be empty. */
export function areHistoriesOf({ histories }: KeyHistories, wants: readonly KeyHistoryWant[]): boolean {
  const count = histories.reduce((sum, { lists }) => sum + lists.length, 0);
  return (
    histories.length === wants.length &&
    histories.every((history, index) => {
      const want = wants[index];
      return want !== undefined && isWithin(history, want);
    }) &&
    count <= MAX_HISTORY_LISTS &&
    (count > 0 || !histories.some(({ more }) => more))
  );
}

function isWithin({ address, lists }: KeyHistory, want: KeyHistoryWant): boolean {
  let last = want.after;
  for (const { sequence } of lists) {
    if (sequence <= last || sequence > want.upTo) return false;
    last = sequence;
  }
  return address === want.address;
}
