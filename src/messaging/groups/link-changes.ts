/** Changes of a group's invite links between two reads. */
import { decodeTime } from '../../protocol/encoding.ts';
import type { RosterState } from '../../protocol/roster/state.ts';

export interface LinkChanges {
  /** The creator: only they can change links. */
  by: string;
  made: boolean;
  /** At least one was removed that had not expired. */
  canceled: boolean;
}

/**
 * Null without a change. Links that expired, or that ended with the rights of a former creator, are not reported.
 */
export function linkChanges(before: RosterState, after: RosterState): LinkChanges | null {
  if (after.creator === null) return null;
  const isIn = ({ links }: RosterState, key: string) => links.some((link) => link.key === key);
  const made = after.links.some(({ key }) => !isIn(before, key));
  // The creator's app also removes expired links. The entry that does is dated after their end.
  const canceled =
    before.creator === after.creator &&
    before.links.some(({ key, expires }) => !isIn(after, key) && decodeTime(expires) > after.issued);
  return made || canceled ? { by: after.creator, made, canceled } : null;
}
