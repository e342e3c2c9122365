/**
 * What members may be beside members.
 */
import type { RosterState } from './state.ts';

export const ROSTER_ROLES = ['creator', 'admin', 'none'] as const;
export type RosterRole = (typeof ROSTER_ROLES)[number];

/** What someone is since an entry. */
export interface GivenRole {
  readonly address: string;
  readonly role: RosterRole;
}

type Rights = Pick<RosterState, 'creator' | 'admins'>;

/** What an address is in a group, whether or not it is a member. */
export function roleOf({ creator, admins }: Rights, address: string): RosterRole {
  if (address === creator) return 'creator';
  return admins.includes(address) ? 'admin' : 'none';
}

/** The addresses that are something else in one state than in another. There are at most two creators and all admins. */
export function changedRoles(before: Rights, after: Rights): string[] {
  const named = [before.creator ?? [], ...before.admins, after.creator ?? [], ...after.admins].flat();
  return [...new Set(named)].filter((address) => roleOf(before, address) !== roleOf(after, address));
}
