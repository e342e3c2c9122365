/**
 * Restores entries at a relay that shows an earlier state of a group, possibly after a restore from a backup.
 * Members have the lost entries, proven by signatures. (A relay that hides entries on purpose refuses or
 * keeps hiding them: then the group stays stopped.)
 */
import { openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import { type ChainKeeper, RelayRefusal } from '../relay.ts';

/** Shortest interval between two attempts for a group, in milliseconds. */
export const BRING_BACK_EVERY = 10 * 60_000;

/**
 * Posts the entries that the relay does not show, oldest first, up to the first refusal. A refused one may
 * require an owner, or its signer's device list.
 * @param whole the newest entries of the chain, ascending
 * @param shown epoch of the last entry that the relay shows, which is in the chain
 * @returns whether it stored any
 * @throws RelayRefusal if transient, RelayUnreachable
 */
export async function restoreEntries(
  keeper: Pick<ChainKeeper, 'appendEntry'>,
  groupId: string,
  whole: readonly RosterEntry[],
  shown: number,
): Promise<boolean> {
  const lost = whole.flatMap((entry) => {
    const epoch = openEntry(entry)?.json.epoch ?? 0;
    return epoch > shown ? [{ entry, epoch }] : [];
  });
  if (lost[0]?.epoch !== shown + 1) return false;
  let accepted = 0;
  for (const { entry } of lost) {
    try {
      await keeper.appendEntry(groupId, entry);
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.temporary) throw error;
      break;
    }
    accepted++;
  }
  return accepted > 0;
}
