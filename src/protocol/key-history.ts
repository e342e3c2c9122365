/**
 * What an answer about published device lists must be to count as one to its question: about the same addresses, and
 * only lists that were asked for, in order. That they prove themselves is judged later.
 */
import { HISTORY_PAGE, LAST_SEQUENCE, MOST_HISTORY_LISTS } from './limits.ts';
import type { KeyHistories, KeyHistory, KeyHistoryWant } from './schemas/directory.ts';

/** Whether an answer has lists of this address after a number, ascending, and some of them if it says that there are more. */
export function isHistoryOf(history: KeyHistory, want: { address: string; after: number }): boolean {
  const { lists, more } = history;
  return (
    isWithin(history, { ...want, upTo: LAST_SEQUENCE }) &&
    lists.length <= HISTORY_PAGE &&
    (lists.length > 0 || !more)
  );
}

/** Reports whether an answer has one history for each want, in order; if it was cut off, with something in it. */
export function areHistoriesOf({ histories }: KeyHistories, wants: readonly KeyHistoryWant[]): boolean {
  const count = histories.reduce((sum, { lists }) => sum + lists.length, 0);
  return (
    histories.length === wants.length &&
    histories.every((history, index) => {
      const want = wants[index];
      return want !== undefined && isWithin(history, want);
    }) &&
    count <= MOST_HISTORY_LISTS &&
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
