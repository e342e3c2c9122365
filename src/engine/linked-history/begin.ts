/** Beginnings of histories for linked computers. */
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { Context } from '../context.ts';

/**
 * Stores the choice of the person about a computer that is being linked. One that has requested the history continues.
 * @param isOffered false: it gets none
 */
export function offerHistory(context: Context, deviceId: string, isOffered: boolean): void {
  const { emit, linkedHistory, now } = context;
  const known = linkedHistory.sendingTo(deviceId);
  if (known && known.snapshot !== null) return;
  linkedHistory.saveSending({
    ...{ deviceId, state: isOffered ? 'offered' : 'refused', heardAt: now(), snapshot: null },
    ...{ stage: 'people', next: 0, offset: 0, lastArrival: 0, made: 0, received: 0, parts: 0 },
  });
  emit('history.changed', {});
}

/** Requests the history on a computer that joins an account, once it is online. */
export function requestHistory({ linkedHistory, now }: Context): void {
  if (linkedHistory.receiving()) return;
  linkedHistory.saveReceiving({
    ...{ state: 'receiving', snapshot: encodeBase64Url(randomBytes(16)), deviceId: null, heardAt: now() },
    ...{ merged: 0, parts: 0, requested: 0, shift: null, ceiling: null },
  });
}
