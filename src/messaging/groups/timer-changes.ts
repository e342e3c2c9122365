/**
 * After how long the messages of a group disappear, between two looks at it.
 */
import type { PastEntry } from '../../protocol/roster/history.ts';
import type { RosterState } from '../../protocol/roster/state.ts';

/** What it is now. */
export interface TimerChange {
  /** 0 for never. */
  seconds: number;
  /** Who signed the entry that made it so; null where that entry is not remembered. */
  by: string | null;
}

/**
 * Null where it is the same as before.
 * @param newestFirst what is remembered of the entries, from the last one back; read no further than the entry after `before`
 */
export function timerChange(
  before: RosterState,
  after: RosterState,
  newestFirst: Iterable<PastEntry>,
): TimerChange | null {
  const seconds = after.timer;
  if (before.timer === seconds) return null;
  for (const { body } of newestFirst) {
    if (body.epoch <= before.epoch) break;
    if (body.timer !== undefined) return { seconds, by: body.by };
  }
  return { seconds, by: null };
}
