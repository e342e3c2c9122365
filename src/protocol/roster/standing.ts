/**
 * Decides whether a group's newest changes stand, though a device that signed them may have been stolen.
 *
 * A change or a ticket by a device that its owner has dropped since is folded, for all must fold alike. But sending waits until
 * someone with rights and a standing device has signed a change after it, or the person goes on. It waits for what can still do
 * harm alone: an act of someone who has rights now, or one that gave rights or a membership which still stand. Otherwise someone
 * who left could stop a group by dropping a device.
 */
import type { PastEntry } from './history.ts';
import type { GivenRole } from './roles.ts';
import { isCreatorOrAdmin, personOf, type RosterState } from './state.ts';

/** An act of a device that its owner has dropped. */
export interface DroppedAct {
  readonly epoch: number;
  readonly address: string;
  readonly deviceId: string;
}

/**
 * The newest act by a dropped device that nobody has confirmed since; null if sending need not wait.
 * @param newestFirst the folded entries, from the last one back; read only as far as it takes
 * @param isDropped whether the newest list that is known of an address has this device no more
 */
export function findDroppedAct(
  state: Pick<RosterState, 'creator' | 'admins' | 'people'>,
  newestFirst: Iterable<PastEntry>,
  isDropped: (address: string, deviceId: string) => boolean,
): DroppedAct | null {
  for (const { body, deviceId, roles = [] } of newestFirst) {
    if (body.kind === 'change') {
      if (isDropped(body.by, deviceId) && stands(state, body.by, roles))
        return { epoch: body.epoch, address: body.by, deviceId };
      if (isCreatorOrAdmin(state, body.by)) return null;
    }
    const { ticket } = body;
    const isIn = personOf(state, body.by)?.since === body.epoch;
    if (ticket && isDropped(ticket.by, ticket.deviceId) && (isIn || isCreatorOrAdmin(state, ticket.by))) {
      return { epoch: body.epoch, address: ticket.by, deviceId: ticket.deviceId };
    }
  }
  return null;
}

/** Reports whether something of a change stands: the rights of its signer, or those that it gave. */
function stands(
  state: Pick<RosterState, 'creator' | 'admins'>,
  by: string,
  roles: readonly GivenRole[],
): boolean {
  return (
    isCreatorOrAdmin(state, by) ||
    roles.some(({ address, role }) => role !== 'none' && isCreatorOrAdmin(state, address))
  );
}
