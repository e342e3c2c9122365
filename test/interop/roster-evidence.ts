import { fromBase64url } from './bytes.ts';
import { type DeviceList, deviceIn, hasEnded } from './device-list.ts';
import { msOf } from './forms.ts';
import { isSigned } from './keys.ts';
import { Refusal } from './refusal.ts';
import { bodyOf, type Entry, entryBytes, entryHash, readBody, readKind } from './roster-entry.ts';
import { hasEntry, judgeEntry, type Lists } from './roster-fold.ts';
import { type GroupState, isOwner, lastEntry } from './roster-state.ts';

/**
 * The meaning of an entry from another member while the relay shows another chain (section 11, 'Evidence'): the chain has it;
 * it can be posted; it proves that the relay shows two chains; nothing; or a list that it names is missing.
 */
export type Evidence = 'shown' | 'follows' | 'split' | 'nothing' | 'wait';

export function judgeEntryAsEvidence(state: GroupState, entry: Entry, now: number, lists: Lists): Evidence {
  try {
    return judge(state, entry, now, lists);
  } catch (error) {
    if (error instanceof Refusal) return 'nothing';
    throw error;
  }
}

function judge(state: GroupState, entry: Entry, now: number, lists: Lists): Evidence {
  const bytes = bodyOf(entry);
  const head = readBody(bytes);
  if (hasEntry(state, { epoch: head.epoch, hash: entryHash(bytes) })) return 'shown';
  const last = lastEntry(state);
  if (last !== null && head.epoch === last.epoch + 1 && head.previous === last.hash) {
    const folded = judgeEntry(state, entry, now, lists);
    if (folded.is === 'folded') return 'follows';
    return folded.is === 'wait' ? 'wait' : 'nothing';
  }
  if (readKind(head).kind !== 'change' || !isOwner(state, head.by)) return 'nothing';
  if (state.entries.some(({ head: { by, epoch } }) => by === head.by && epoch >= head.epoch))
    return 'nothing';
  const named = lists(head.by, head.list);
  const highest = lists(head.by, Math.max(head.list, state.highestList.get(head.by) ?? 0));
  if (named === undefined || highest === undefined) return 'wait';
  const device = deviceIn(named, entry.deviceId);
  const still = deviceIn(highest, entry.deviceId);
  if (device === undefined || still === undefined) return 'nothing';
  const issued = msOf(head.issued);
  if (hasEnded(device, issued) || hasEnded(still, issued)) return 'nothing';
  const isValid = isSigned(
    fromBase64url(device.key, 32),
    fromBase64url(entry.signature, 64),
    entryBytes(state.groupId, bytes),
  );
  return isValid ? 'split' : 'nothing';
}

/**
 * Reports whether a change or a ticket was signed by a device that the newest known list of its owner does not have, and no
 * change by a standing device of a creator or admin followed. Then nothing is sealed for the group.
 */
export function hasDroppedSigner(
  state: GroupState,
  newestOf: (address: string) => DeviceList | null,
): boolean {
  for (const { entry, head, known } of state.entries.toReversed()) {
    if (known.kind === 'change') return deviceIn(newestOf(head.by), entry.deviceId) === undefined;
    const ticket = known.kind === 'join' ? known.ticket : undefined;
    if (ticket !== undefined && deviceIn(newestOf(ticket.by), ticket.deviceId) === undefined) return true;
  }
  return false;
}
