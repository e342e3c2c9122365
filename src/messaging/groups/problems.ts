/** The reason for not sealing for a group: its notes as a failure with a sentence. */
import { UnverifiableError } from '../../base/failure.ts';
import { findDroppedAct } from '../../protocol/roster/dropped-acts.ts';
import type { ChainStop, GroupMemory, GroupNotes, RememberedGroup } from './chain-memory.ts';

/**
 * Null if sealing is allowed.
 * @param nameOf name of an address's owner in a sentence
 */
export function findGroupProblem(
  { stop, split, missing, dropped, acceptedUpTo }: GroupNotes,
  nameOf = (address: string) => address,
): UnverifiableError | null {
  if (stop) return stopProblem(stop, nameOf);
  if (split) return new UnverifiableError('roster_split');
  if (missing) return new UnverifiableError('roster_behind');
  if (!dropped || dropped.epoch <= acceptedUpTo) return null;
  return new UnverifiableError('roster_device_dropped', {
    who: nameOf(dropped.address),
    epoch: dropped.epoch,
  });
}

/**
 * The newest act of a device that was removed since, without a later confirming change.
 * @param isDropped whether the newest known list of an address lacks a device
 */
export function droppedIn<G extends RememberedGroup>(
  memory: Pick<GroupMemory<G>, 'newestFirst'>,
  { groupId, state }: G,
  isDropped: (address: string, deviceId: string) => boolean,
): GroupNotes['dropped'] {
  const act = findDroppedAct(state, memory.newestFirst(groupId), isDropped);
  return act && { epoch: act.epoch, address: act.address };
}

/** The failure for a stopped chain. */
export function stopProblem(stop: ChainStop, nameOf = (address: string) => address): UnverifiableError {
  switch (stop.why) {
    case 'newer':
      return new UnverifiableError('roster_newer');
    case 'refused':
      return new UnverifiableError('roster_broken', { reason: stop.reason, epoch: stop.epoch });
    case 'clock':
      return new UnverifiableError('roster_ahead');
    case 'list':
      return new UnverifiableError('roster_list_missing', { who: nameOf(stop.address) });
    case 'behind':
      return new UnverifiableError('roster_behind');
    case 'replaced':
      return new UnverifiableError('roster_replaced');
    case 'shut':
      return new UnverifiableError('group_without_you');
  }
}
