/**
 * A relay that shows a group as it was before: it may have gone back to a backup. Its members have what it has lost, and
 * their signatures prove it. (A relay that hides entries on purpose refuses them, or goes on hiding them: then the group
 * stays stopped.)
 */
import { openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import { type ChainKeeper, RelayRefusal } from '../relay.ts';

/** How often a group is brought back at most, in milliseconds. */
export const BRING_BACK_EVERY = 10 * 60_000;

/**
 * Posts the entries that the relay does not show, oldest first, up to the first that it refuses: that one may be for an
 * owner to bring, or wait for its signer's device list.
 * @param whole the newest entries of the chain, ascending
 * @param shown epoch of the last entry that the relay shows, which is in the chain
 * @returns whether it took any
 * @throws RelayRefusal where it may pass, RelayUnreachable
 */
export async function bringBack(
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
  let taken = 0;
  for (const { entry } of lost) {
    try {
      await keeper.appendEntry(groupId, entry);
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.temporary) throw error;
      break;
    }
    taken++;
  }
  return taken > 0;
}
