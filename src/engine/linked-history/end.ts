/** Ends of histories for linked computers. In the caller's transaction; call `files.reportRemoved` afterwards. */
import { BLOB_LIFE } from '../../protocol/blob/layout.ts';
import { HERE } from '../cache/linked-history.ts';
import type { Context } from '../context.ts';

/** Parts of the cache that these need. */
type HistoryCache = Pick<Context, 'linkedHistory' | 'unwantedBlobs' | 'now'>;

/** Removes stored parts up to one, here and at the relay. @param deviceId recipient, or HERE */
export function removeParts(
  { linkedHistory, unwantedBlobs, now }: HistoryCache,
  deviceId: string,
  upTo = Number.MAX_SAFE_INTEGER,
): void {
  for (const { part, file } of linkedHistory.parts(deviceId)) {
    if (part > upTo) continue;
    unwantedBlobs.giveUpBlob(file.key, now() + BLOB_LIFE);
    linkedHistory.removePart(deviceId, part);
  }
}

/** Ends the history for a computer. @param isInformed false if the computer must be informed */
export function endSending(context: HistoryCache, deviceId: string, isInformed: boolean): void {
  const { linkedHistory, now } = context;
  const sending = linkedHistory.sendingTo(deviceId);
  if (!sending) return;
  removeParts(context, deviceId);
  if (isInformed) linkedHistory.endSending(deviceId);
  // Without a request there is nothing to answer yet.
  else if (sending.state === 'offered' || sending.state === 'missed')
    linkedHistory.saveSending({ ...sending, state: 'refused', lastReceivedAt: now() });
  else linkedHistory.saveSending({ ...sending, state: 'ending' });
}

/** Ends the history for this computer by the person, or hides its result. */
export function endReceiving(context: HistoryCache): void {
  const { linkedHistory } = context;
  const receiving = linkedHistory.receiving();
  if (!receiving) return;
  removeParts(context, HERE);
  const { state, merged, requested } = receiving;
  const isInformed = state === 'stopped' || (state === 'complete' && requested > merged);
  if (isInformed) linkedHistory.endReceiving();
  else linkedHistory.saveReceiving({ ...receiving, state: 'ending' });
}

/** Ends the history for this computer by its sender. */
export function stopReceiving(context: HistoryCache): void {
  const { linkedHistory } = context;
  const receiving = linkedHistory.receiving();
  if (!receiving) return;
  removeParts(context, HERE);
  // The person of the other computer did not want to send it.
  if (receiving.deviceId === null) linkedHistory.endReceiving();
  else linkedHistory.saveReceiving({ ...receiving, state: 'stopped' });
}
