/**
 * Who counts as a member of a group. The relay's roster is not signed, so a relay may go on showing one from before a
 * removal. A removal that was seen once is therefore remembered, and a person who left or was removed counts as a
 * member again only after the user has confirmed it; so does the user, after leaving. App and library share this rule
 * and store its memory themselves.
 */

import { UnverifiableError } from '../../base/failure.ts';
import { membersHash } from '../../protocol/members-hash.ts';

/**
 * How many departures are remembered for one group. When that many are known, each newcomer has to be confirmed: to
 * forget the oldest would let a relay wash out a removal with made-up ones.
 */
export const MOST_DEPARTURES = 1_000;

/** How many lists of members are tried to find out whom another device of the user removed. */
const MOST_TRIES = 1_000;
/** In larger groups hashing alone would take seconds. */
const MOST_TRIED_MEMBERS = 200;

/** What is remembered of one group. Addresses are wire addresses. */
export interface MembersMemory {
  /** The members that messages are sealed for. All of them stood in the roster that was seen last. */
  believed: readonly string[];
  /** Everybody who was seen to leave or to be removed, at most {@link MOST_DEPARTURES}; also who is believed again. */
  departed: readonly string[];
}

/**
 * Judges a roster that the relay shows.
 * @param memory null for a group that was never seen before: its first roster is believed
 * @param shown the members in the relay's order
 */
export function judgeRoster(memory: MembersMemory | null, shown: readonly string[]): MembersMemory {
  if (memory === null) return { believed: [...shown], departed: [] };
  const roster = new Set(shown);
  const gone = memory.believed.filter((address) => !roster.has(address));
  const departed = addDepartures(memory.departed, gone);
  const before = new Set(memory.believed);
  const known = new Set(departed);
  const isFull = known.size >= MOST_DEPARTURES;
  const believed = shown.filter((address) => before.has(address) || !(isFull || known.has(address)));
  return { believed, departed };
}

/**
 * What a relay shows of a group has to be consistent, and has to fit the caller.
 * @param own the address of who asked; null where it is not known
 * @throws UnverifiableError
 */
export function checkRoster(
  { members, membersHash: hash }: { members: readonly string[]; membersHash: string },
  own: string | null,
): void {
  if (membersHash(members) !== hash) {
    throw new UnverifiableError('group_hash_wrong');
  }
  if (own !== null && !members.includes(own)) {
    throw new UnverifiableError('group_without_you');
  }
}

/** Whom the relay shows as members though they do not count as such: nothing is sealed for them. */
export function unconfirmedIn(memory: MembersMemory, shown: readonly string[]): string[] {
  const believed = new Set(memory.believed);
  return shown.filter((address) => !believed.has(address));
}

/**
 * The memory after a removal that the user made, or after the user left: it counts before the relay shows any roster
 * without that person.
 */
export function withDeparture(memory: MembersMemory, address: string): MembersMemory {
  return {
    believed: memory.believed.filter((member) => member !== address),
    departed: addDepartures(memory.departed, [address]),
  };
}

/** The memory after the user has confirmed a person whom the relay shows as a member. The next removal counts again. */
export function withConfirmation(memory: MembersMemory, address: string): MembersMemory {
  if (memory.believed.includes(address)) return memory;
  return { ...memory, believed: [...memory.believed, address] };
}

/** Whether this person departed, or may have, and nobody has confirmed them since. */
export function isUnconfirmed({ believed, departed }: MembersMemory, address: string): boolean {
  return !believed.includes(address) && (departed.includes(address) || departed.length >= MOST_DEPARTURES);
}

/**
 * Whom another device of the user has removed: one or two members whose absence makes the list that it signed. Someone
 * who departed before is no new removal: that device may only not have confirmed them.
 * @param hash the membersHash that the other device named
 * @returns the removed; empty if no such removal explains the hash
 */
export function removedByOwnDevice(memory: MembersMemory, hash: string): string[] {
  const { believed } = memory;
  if (believed.length > MOST_TRIED_MEMBERS) return [];
  const departed = new Set(memory.departed);
  const candidates = believed.filter((address) => !departed.has(address));
  const choices = candidates.map((address) => [address]);
  for (const [index, one] of candidates.entries()) {
    if (choices.length >= MOST_TRIES) break;
    choices.push(...candidates.slice(index + 1).map((other) => [one, other]));
  }
  const isNamed = (choice: string[]) =>
    membersHash(believed.filter((each) => !choice.includes(each))) === hash;
  return choices.slice(0, MOST_TRIES).find(isNamed) ?? [];
}

function addDepartures(departed: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...departed, ...more])].slice(0, MOST_DEPARTURES);
}
