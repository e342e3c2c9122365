import { isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';

/** Size above which members send no receipts. */
const MAX_MEMBERS = 20;

/** Reports whether members of a group send each other receipts. */
export function isSmall({ memberCount }: Pick<RosterState, 'memberCount'>): boolean {
  return memberCount <= MAX_MEMBERS;
}

/**
 * Recipients of a message who are still in the group, without its author: the senders of its receipts.
 * @param epoch named by the message
 */
export function readersOf(state: RosterState, epoch: number, author: string): string[] {
  return Object.keys(state.people).filter((address) => {
    const since = personOf(state, address)?.since ?? null;
    return address !== author && isMember(state, address) && since !== null && since <= epoch;
  });
}

/**
 * Former members, possible recipients of a message, the last to leave first. Only a receipt shows that one was a member at that
 * time.
 * @param epoch named by the message
 */
export function formerReadersOf(state: RosterState, epoch: number, author: string): string[] {
  const readers = new Set(readersOf(state, epoch, author));
  const departed = (address: string) => personOf(state, address)?.departed ?? null;
  return Object.keys(state.people)
    .filter((address) => address !== author && !readers.has(address) && departed(address) !== null)
    .sort((one, other) => (departed(other) ?? 0) - (departed(one) ?? 0));
}
