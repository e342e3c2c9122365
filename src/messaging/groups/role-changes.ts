/**
 * Who became or ceased to be an admin or the owner between two looks at a group.
 */
import type { PastEntry } from '../../protocol/roster/history.ts';
import { changedRoles, type RosterRole, roleOf } from '../../protocol/roster/roles.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';

/** A member who is something else than before. */
export interface RoleChange {
  address: string;
  role: RosterRole;
  /** Who signed the entry that made it so; null where that entry is not remembered. */
  by: string | null;
}

/** The order in which they are told. */
const ORDER: readonly RosterRole[] = ['creator', 'admin', 'none'];

/**
 * What is to be told: at most one change for each owner and admin of before and after. Who left the group is not told of, nor
 * that the owner before is none: another one is.
 * @param newestFirst what is remembered of the entries, from the last one back; read no further than the entry after `before`
 */
export function roleChanges(
  before: RosterState,
  after: RosterState,
  newestFirst: Iterable<PastEntry>,
): RoleChange[] {
  const changed = changedRoles(before, after).filter(
    (address) =>
      isMember(after, address) && (roleOf(after, address) !== 'none' || roleOf(before, address) === 'admin'),
  );
  if (changed.length === 0) return [];
  const signers = new Map<string, string>();
  for (const { body, roles = [] } of newestFirst) {
    if (body.epoch <= before.epoch || signers.size === changed.length) break;
    for (const { address } of roles) {
      if (changed.includes(address) && !signers.has(address)) signers.set(address, body.by);
    }
  }
  return changed
    .map((address) => ({ address, role: roleOf(after, address), by: signers.get(address) ?? null }))
    .toSorted((one, other) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role));
}
