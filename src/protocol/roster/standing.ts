/**
 * Whether a group's newest changes stand, though a device that signed them may have been stolen.
 *
 * A change or a ticket by a device that its owner has dropped since is folded, for all must fold alike. But sending waits until
 * someone with rights and a standing device has signed a change after it, or the person goes on.
 */
import type { PastEntry } from './history.ts';
import { isCreatorOrAdmin, type RosterState } from './state.ts';

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
  state: Pick<RosterState, 'creator' | 'admins'>,
  newestFirst: Iterable<PastEntry>,
  isDropped: (address: string, deviceId: string) => boolean,
): DroppedAct | null {
  for (const { body, deviceId } of newestFirst) {
    if (body.kind === 'change') {
      if (isDropped(body.by, deviceId)) return { epoch: body.epoch, address: body.by, deviceId };
      if (isCreatorOrAdmin(state, body.by)) return null;
    }
    const { ticket } = body;
    if (ticket && isDropped(ticket.by, ticket.deviceId)) {
      return { epoch: body.epoch, address: ticket.by, deviceId: ticket.deviceId };
    }
  }
  return null;
}
