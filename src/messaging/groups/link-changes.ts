/** Changes of a group's invite links between two reads. */
import type { LinkAct, PastEntry } from '../../protocol/roster/history.ts';
import type { RosterState } from '../../protocol/roster/state.ts';

export interface LinkChanges {
  /** The creator: only they can change links. */
  by: string;
  /** Each at most once, in the order of the last ones. */
  acts: LinkAct[];
}

/**
 * The signed entries decide, because a link that was made and canceled is in neither state. Null without a change. Those of a former
 * creator are not reported after those of the next one.
 * @param newestFirst stored entries, newest first; read only back to the entry after `before`
 */
export function linkChanges(before: RosterState, newestFirst: Iterable<PastEntry>): LinkChanges | null {
  let by: string | null = null;
  const acts = new Set<LinkAct>();
  for (const entry of newestFirst) {
    if (entry.body.epoch <= before.epoch) break;
    if (!entry.links) continue;
    by ??= entry.body.by;
    if (entry.body.by !== by) break;
    for (const act of entry.links.toReversed()) acts.add(act);
  }
  return by === null ? null : { by, acts: [...acts].toReversed() };
}
