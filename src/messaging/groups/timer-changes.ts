/** Timer changes between two reads of a group. */
import type { PastEntry } from '../../protocol/roster/history.ts';
import type { RosterState } from '../../protocol/roster/state.ts';

/** The current timer. */
export interface TimerChange {
  /** 0 for never. */
  seconds: number;
  /** Signer of the entry; null if that entry is not stored. */
  by: string | null;
}

/**
 * Null without a change.
 * @param newestFirst stored entries, newest first; read only back to the entry after `before`
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
