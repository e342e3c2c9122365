/**
 * Detects acts in a group by devices that may have been stolen.
 *
 * A change or a ticket by a device that was removed since is folded, because all must fold alike. But sending
 * waits until someone with rights and a valid device has signed a later change, or the person continues. Only
 * acts that can still do harm count: by someone who has rights now, or with rights or a membership granted
 * that are still in effect. Otherwise someone who left could stop a group by removing a device.
 */
import type { PastEntry } from './history.ts';
import type { GivenRole } from './roles.ts';
import { isCreatorOrAdmin, personOf, type RosterState } from './state.ts';

/** An act of a device that its owner has removed. */
export interface DroppedAct {
  readonly epoch: number;
  readonly address: string;
  readonly deviceId: string;
}

/**
 * The newest act by a removed device without a later confirmation; null if sending need not wait.
 * @param newestFirst folded entries, newest first; read only as far as needed
 * @param isDropped whether the newest known list of an address lacks this device
 */
export function findDroppedAct(
  state: Pick<RosterState, 'creator' | 'admins' | 'people'>,
  newestFirst: Iterable<PastEntry>,
  isDropped: (address: string, deviceId: string) => boolean,
): DroppedAct | null {
  for (const { body, deviceId, roles = [] } of newestFirst) {
    if (body.kind === 'change') {
      if (isDropped(body.by, deviceId) && isInEffect(state, body.by, roles))
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

/** Reports whether a change is still in effect: the rights of its signer, or those that it granted. */
function isInEffect(
  state: Pick<RosterState, 'creator' | 'admins'>,
  by: string,
  roles: readonly GivenRole[],
): boolean {
  return (
    isCreatorOrAdmin(state, by) ||
    roles.some(({ address, role }) => role !== 'none' && isCreatorOrAdmin(state, address))
  );
}
