/**
 * Controls of own devices about the history for a linked computer, in the transaction that receives them. Only
 * requested parts are accepted: of the requested snapshot, from one device of the current list, in order and within limits.
 */
import {
  OwnHistoryContent,
  OwnHistoryEndContent,
  OwnHistoryRequestContent,
} from '../../messaging/contents/kinds/own.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import type { DirectBody } from '../../protocol/payload.ts';
import { HERE } from '../cache/linked-history.ts';
import type { Context } from '../context.ts';
import { beginSending } from './begin.ts';
import { endSending, removeParts, stopReceiving } from './end.ts';
import { MAX_PART_BYTES, WINDOW } from './form.ts';

/**
 * Applies a control.
 * @param body signed by an own device, from the person to themselves
 * @param deviceId of the signing device
 * @returns whether files were removed
 */
export function receiveHistory(context: Context, body: DirectBody, deviceId: string): boolean {
  if (!body.kind.startsWith('own.history')) return false;
  // A device that was removed meanwhile.
  if (context.identity.listedDevices()?.has(deviceId) !== true) return false;
  if (body.kind === 'own.history') receivePart(context, OwnHistoryContent.parse(body), deviceId);
  if (body.kind === 'own.history.request')
    receiveRequest(context, OwnHistoryRequestContent.parse(body), deviceId);
  if (body.kind === 'own.history.end') receiveEnd(context, OwnHistoryEndContent.parse(body), deviceId);
  context.emit('history.changed', {});
  return body.kind !== 'own.history';
}

function receivePart(
  context: Context,
  { snapshot, part, parts, file }: OwnHistoryContent,
  deviceId: string,
): void {
  const { files, fileTasks, historyRows, linkedHistory, now } = context;
  const receiving = linkedHistory.receiving();
  if (receiving?.state !== 'receiving' || receiving.snapshot !== snapshot) return;
  if (receiving.deviceId !== null && receiving.deviceId !== deviceId) return;
  const { merged } = receiving;
  if (part <= merged || part > merged + WINDOW || file.size < 1 || file.size > MAX_PART_BYTES) return;
  if (linkedHistory.parts(HERE).some((each) => each.part === part)) return;
  const { key, digest, size } = file;
  // The key is that of a message's file.
  if (historyRows.fileOf(decodeBase64Url(key), decodeBase64Url(digest), size) !== null) return;
  const id = files.ensure({ key, digest, size, mediaType: '-', name: '-' });
  fileTasks.planDownload(id, null);
  linkedHistory.addPart(HERE, part, parts, id);
  linkedHistory.saveReceiving({ ...receiving, deviceId, lastReceivedAt: now(), parts });
}

function receiveRequest(
  context: Context,
  { snapshot, from }: OwnHistoryRequestContent,
  deviceId: string,
): void {
  const { files, linkedHistory, now } = context;
  const sending = linkedHistory.sendingTo(deviceId);
  if (!sending) return;
  const { state } = sending;
  if (snapshot !== sending.snapshot) {
    // A history begins with its first part, also that of a computer which lost its former one.
    if (from !== 1 || state === 'ending') return;
    if (state === 'refused') linkedHistory.saveSending({ ...sending, snapshot, state: 'ending' });
    else if (state === 'missed' || state === 'back')
      linkedHistory.saveSending({ ...sending, snapshot, state: 'back', lastReceivedAt: now() });
    else {
      removeParts(context, deviceId);
      beginSending(context, deviceId, snapshot);
    }
    return;
  }
  const { made, received } = sending;
  if (state !== 'sending' || from <= received || from > made + 1) return;
  removeParts(context, deviceId, from - 1);
  linkedHistory.saveSending({ ...sending, received: from - 1, lastReceivedAt: now() });
  if (from > received + 1) return;
  // Nothing has arrived since its last request: the relay may have lost parts, or the control about them.
  for (const { part, file } of linkedHistory.parts(deviceId)) {
    linkedHistory.setSent(deviceId, part, false);
    if (file.task === null) files.planUpload(file.id);
  }
}

function receiveEnd(context: Context, { snapshot }: OwnHistoryEndContent, deviceId: string): void {
  const { linkedHistory } = context;
  const sending = linkedHistory.sendingTo(deviceId);
  // Before its first request, too: the person of the linked computer does not want it.
  const isUnbegun = sending?.state === 'offered' || sending?.state === 'missed';
  if (sending && (isUnbegun || (sending.snapshot ?? snapshot) === snapshot))
    endSending(context, deviceId, true);
  const receiving = linkedHistory.receiving();
  if (receiving?.state !== 'receiving' || receiving.snapshot !== snapshot) return;
  if (receiving.deviceId === null || receiving.deviceId === deviceId) stopReceiving(context);
}
