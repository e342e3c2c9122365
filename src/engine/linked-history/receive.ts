/**
 * Controls of own devices about the history for a linked computer, in the transaction that receives them. Only what was requested is
 * accepted: of the requested snapshot, from one device of the current list, in order and in bounds.
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
  if (body.kind === 'own.history') takePart(context, OwnHistoryContent.parse(body), deviceId);
  if (body.kind === 'own.history.request')
    takeRequest(context, OwnHistoryRequestContent.parse(body), deviceId);
  if (body.kind === 'own.history.end') takeEnd(context, OwnHistoryEndContent.parse(body), deviceId);
  context.emit('history.changed', {});
  return body.kind !== 'own.history';
}

function takePart(
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
  // It is the file of a message.
  if (historyRows.fileOf(decodeBase64Url(key), decodeBase64Url(digest), size) !== null) return;
  const id = files.ensure({ key, digest, size, mediaType: '-', name: '-' });
  fileTasks.planDownload(id, null);
  linkedHistory.addPart(HERE, part, parts, id);
  linkedHistory.saveReceiving({ ...receiving, deviceId, heardAt: now(), parts });
}

function takeRequest(context: Context, { snapshot, from }: OwnHistoryRequestContent, deviceId: string): void {
  const { files, historyRows, linkedHistory, now } = context;
  const sending = linkedHistory.sendingTo(deviceId);
  if (!sending || (sending.snapshot !== null && sending.snapshot !== snapshot)) return;
  if (sending.state === 'refused') linkedHistory.saveSending({ ...sending, snapshot, state: 'ending' });
  if (sending.state === 'offered') {
    const { last } = historyRows.ends();
    const begun = { ...sending, snapshot, state: 'sending' as const, heardAt: now() };
    linkedHistory.saveSending({ ...begun, lastArrival: last, next: last + 1 });
  }
  const { made, received } = sending;
  if (sending.state !== 'sending' || from <= received || from > made + 1) return;
  removeParts(context, deviceId, from - 1);
  linkedHistory.saveSending({ ...sending, received: from - 1, heardAt: now() });
  if (from > received + 1) return;
  // Nothing has arrived since its last request: the relay may have lost parts, or the control about them.
  for (const { part, file } of linkedHistory.parts(deviceId)) {
    linkedHistory.setSent(deviceId, part, false);
    if (file.task === null) files.planUpload(file.id);
  }
}

function takeEnd(context: Context, { snapshot }: OwnHistoryEndContent, deviceId: string): void {
  const { linkedHistory } = context;
  const sending = linkedHistory.sendingTo(deviceId);
  // Before its first request, too: the person of the linked computer does not want it.
  if (sending && (sending.snapshot ?? snapshot) === snapshot) endSending(context, deviceId, true);
  const receiving = linkedHistory.receiving();
  if (receiving?.state !== 'receiving' || receiving.snapshot !== snapshot) return;
  if (receiving.deviceId === null || receiving.deviceId === deviceId) stopReceiving(context);
}
