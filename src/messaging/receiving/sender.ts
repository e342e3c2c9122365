/**
 * What a recipient holds against an opened copy before anybody sees it (docs/protocol.md, 'What a recipient does').
 */
import type { DeviceList, UnsignedKind } from '../../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import type { EnvelopeHeader } from '../../protocol/envelope.ts';
import type { UnverifiedPayload } from '../../protocol/payload.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { SenderProof } from '../contents/rights.ts';
import { RefusedEnvelope } from './refused-envelope.ts';

/**
 * The sealed words must say the same as the envelope around them.
 * @param own the recipient's address
 * @throws RefusedEnvelope
 */
export function checkRoute(envelope: InboxEnvelope, payload: UnverifiedPayload, own: string): void {
  if (envelope.toAddress !== own) throw new RefusedEnvelope('addressed_to_another');
  if (payload.body.sender !== envelope.from) throw new RefusedEnvelope('sender_differs');
  if (payload.channel === 'group') {
    if (payload.body.groupId !== envelope.groupId) throw new RefusedEnvelope('group_differs');
    return;
  }
  if (envelope.groupId !== undefined) throw new RefusedEnvelope('direct_by_group');
  if (envelope.from !== own && payload.body.peer !== own) throw new RefusedEnvelope('meant_for_another');
}

/** Whether the list that is known decides about the sender, so that the relay need not be asked for a newer one. */
export function isSettledBy(
  list: DeviceList | null,
  envelope: InboxEnvelope,
  payload: UnverifiedPayload,
  header: EnvelopeHeader,
): boolean {
  if (!list || header.senderListSequence > list.sequence) return false;
  if (payload.deviceId === null) return allowsUnsigned(list, unsignedKindOf(envelope));
  return list.devices.some(({ deviceId }) => deviceId === payload.deviceId);
}

/**
 * How the sender is known.
 * @param list what the sender's wallet certified; null if nothing
 * @throws RefusedEnvelope if that does not allow the message
 */
export function proveSender(
  list: DeviceList | null,
  envelope: InboxEnvelope,
  payload: UnverifiedPayload,
): SenderProof {
  if (payload.deviceId === null) {
    const by = unsignedKindOf(envelope);
    if (list && allowsUnsigned(list, by)) return by;
    throw new RefusedEnvelope('unsigned', { by });
  }
  const device = list?.devices.find(({ deviceId }) => deviceId === payload.deviceId);
  if (!device) throw new RefusedEnvelope('device_not_certified');
  if (decodeTime(device.validUntil) <= decodeTime(envelope.receivedAt)) {
    throw new RefusedEnvelope('device_expired');
  }
  if (!payload.isSignedBy(decodeBase64Url(device.key))) throw new RefusedEnvelope('signature_wrong');
  return 'signed';
}

function unsignedKindOf(envelope: InboxEnvelope): UnsignedKind {
  return envelope.via === 'group_token' ? 'bots' : 'api';
}

function allowsUnsigned(list: DeviceList, kind: UnsignedKind): boolean {
  const allowed: readonly UnsignedKind[] = list.unsigned;
  return allowed.includes(kind);
}
