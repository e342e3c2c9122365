/** Role changes between two reads of a group: new and former admins and owners. */
import type { PastEntry } from '../../protocol/roster/history.ts';
import { changedRoles, type RosterRole, roleOf } from '../../protocol/roster/roles.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';

/** A member with a new role. */
export interface RoleChange {
  address: string;
  role: RosterRole;
  /** Signer of the entry; null if that entry is not stored. */
  by: string | null;
}

/** Display order. */
const ORDER: readonly RosterRole[] = ['creator', 'admin', 'none'];

/**
 * Changes to report: at most one for each former and current owner and admin. Members who left are not
 * reported, nor that the former owner has no role: the new owner is.
 * @param newestFirst stored entries, newest first; read only back to the entry after `before`
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
