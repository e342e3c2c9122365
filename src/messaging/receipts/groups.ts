import { isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';

/** In larger groups nobody says what came or was read. */
const MOST_MEMBERS = 20;

/** Whether members of a group tell each other what came and what was read. */
export function isSmall({ memberCount }: Pick<RosterState, 'memberCount'>): boolean {
  return memberCount <= MOST_MEMBERS;
}

/**
 * Who got a message into a group and is still in it, without its author: who says whether it came.
 * @param epoch that the message names
 */
export function readersOf(state: RosterState, epoch: number, author: string): string[] {
  return Object.keys(state.people).filter((address) => {
    const since = personOf(state, address)?.since ?? null;
    return address !== author && isMember(state, address) && since !== null && since <= epoch;
  });
}
