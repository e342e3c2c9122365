/** Roles of members. */
import type { RosterState } from './state.ts';

export const ROSTER_ROLES = ['creator', 'admin', 'none'] as const;
export type RosterRole = (typeof ROSTER_ROLES)[number];

/** A new role of a member. */
export interface GivenRole {
  readonly address: string;
  readonly role: RosterRole;
}

type Rights = Pick<RosterState, 'creator' | 'admins'>;

/** The role of an address in a group, member or not. */
export function roleOf({ creator, admins }: Rights, address: string): RosterRole {
  if (address === creator) return 'creator';
  return admins.includes(address) ? 'admin' : 'none';
}

/** The addresses whose role differs between two states: at most two creators and all admins. */
export function changedRoles(before: Rights, after: Rights): string[] {
  const named = [before.creator ?? [], ...before.admins, after.creator ?? [], ...after.admins].flat();
  return [...new Set(named)].filter((address) => roleOf(before, address) !== roleOf(after, address));
}
