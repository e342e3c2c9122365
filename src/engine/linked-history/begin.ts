/** Beginnings of histories for linked computers. */
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { HistorySending } from '../cache/linked-history.ts';
import type { Context } from '../context.ts';

/** Progress of a history without a part. */
const UNBEGUN = {
  stage: 'people',
  next: 0,
  offset: 0,
  lastArrival: 0,
  made: 0,
  received: 0,
  parts: 0,
} as const;

/**
 * Stores the choice of the person about a computer that is being linked. One that has requested the history continues.
 * @param isOffered false: it gets none
 */
export function offerHistory(context: Context, deviceId: string, isOffered: boolean): void {
  const { emit, linkedHistory, now } = context;
  const known = linkedHistory.sendingTo(deviceId);
  if (known && known.snapshot !== null) return;
  linkedHistory.saveSending({
    ...{ deviceId, state: isOffered ? 'offered' : 'refused', lastReceivedAt: now(), snapshot: null },
    ...UNBEGUN,
  });
  emit('history.changed', {});
}

/** Begins to send a requested history. In the caller's transaction. */
export function beginSending(
  { historyRows, linkedHistory, now }: Pick<Context, 'historyRows' | 'linkedHistory' | 'now'>,
  deviceId: string,
  snapshot: string,
): void {
  const { last } = historyRows.ends();
  const progress = { ...UNBEGUN, lastArrival: last, next: last + 1 };
  linkedHistory.saveSending({ deviceId, state: 'sending', lastReceivedAt: now(), snapshot, ...progress });
}

/** Offers the history again to a computer that was off for too long. One that has requested it meanwhile gets it now. */
export function offerAgain(context: Context, deviceId: string): void {
  const { emit, linkedHistory, now, transaction } = context;
  transaction(() => {
    const sending = linkedHistory.sendingTo(deviceId);
    if (sending?.state === 'missed')
      linkedHistory.saveSending({ ...sending, state: 'offered', lastReceivedAt: now() });
    if (sending?.state === 'back' && sending.snapshot !== null)
      beginSending(context, deviceId, sending.snapshot);
  });
  emit('history.changed', {});
}

/** The state of a history for a computer that was off for too long: nothing of it is left to continue. */
export function missed({ deviceId, lastReceivedAt, snapshot }: HistorySending): HistorySending {
  return { deviceId, state: 'missed', lastReceivedAt, snapshot, ...UNBEGUN };
}

/** Requests the history on a computer that joins an account, once it is online. */
export function requestHistory({ linkedHistory, now }: Context): void {
  if (!linkedHistory.receiving()) beginReceiving({ linkedHistory, now });
}

/** Requests the history from its beginning. */
export function beginReceiving({ linkedHistory, now }: Pick<Context, 'linkedHistory' | 'now'>): void {
  linkedHistory.saveReceiving({
    ...{
      state: 'receiving',
      snapshot: encodeBase64Url(randomBytes(16)),
      deviceId: null,
      lastReceivedAt: now(),
    },
    ...{ merged: 0, parts: 0, requested: 0, requestedAt: now(), shift: null, ceiling: null },
  });
}
