/**
 * What is remembered of groups. App and library store it, each in its own way.
 */
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { HeardGroup } from '../receiving/arrival.ts';
import type { MembersMemory } from '../trust/members.ts';

/** One group as it was shown last. Addresses are wire addresses, times milliseconds since 1970. */
export interface RememberedGroup extends HeardGroup {
  /** What the relay shows, in its order. */
  members: readonly string[];
  /** Those of `members` who do not count as such until the user confirms them: they departed once, or may have. */
  unconfirmed: readonly string[];
  /** Whether the user is in it. */
  joined: boolean;
  /** Since when that is known here; 0 where it is not remembered. */
  joinedAt: number;
  /** When the relay was asked last; 0 where it has to be asked again. */
  fetchedAt: number;
}

/** The hashes of lists of members that others may have been shown. Made when they are asked for. */
export interface ShownLists {
  /** Of what the relay shows now, all of it or without unconfirmed members. All other lists are over. */
  current(): string[];
  /** Of lists that have been over since now at the latest; null where there are too many to tell. */
  past(): string[] | null;
}

/** Where groups are kept. Every change must be durable when the call returns. */
export interface GroupMemory<G extends RememberedGroup> {
  find(groupId: string): G | null;
  /** Whom is believed to be in a group, and who was seen to leave it. */
  members(group: G): MembersMemory;
  /**
   * Remembers what the relay shows. Groups do not change their creator: the one that was shown first stays.
   * @param members as they judge what is shown
   * @param own the user's address; null where it is not known
   * @throws Failure if there is no room for another group
   */
  save(view: GroupView, members: MembersMemory, own: string | null, lists: ShownLists): G;
  /** Replaces what is believed of the members of a group. */
  setMembers(group: G, members: MembersMemory, own: string | null, lists: ShownLists): G;
  /** The relay shows this person as a member no more. */
  forgetShown(group: G, address: string): void;
  /**
   * Whether the list of members with this hash was shown here, or one between two that were, and was not over when it
   * was named. Also whether it may have been, at a time of which not all lists are known.
   */
  hasShown(group: G, hash: string, namedAt: number): boolean;
  /** What is known is known to be outdated: it has to be asked for before it is used. */
  expire(group: G): void;
  /** Runs a function of which all changes are durable, or none. */
  transaction<T>(work: () => T): T;
}
