/**
 * What a recipient holds against an opened copy before anybody sees it (docs/protocol.md, 'What a recipient does').
 */
import type { DeviceList, UnsignedKind } from '../../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import type { EnvelopeHeader } from '../../protocol/envelope.ts';
import type { UnverifiedPayload } from '../../protocol/payload.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { SenderProof } from '../contents/rights.ts';

/** Why an envelope is set aside instead of shown: a reason for diagnosis. */
export class RefusedEnvelope extends Error {
  override readonly name = 'RefusedEnvelope';
}

/**
 * The sealed words must say the same as the envelope around them.
 * @param own the recipient's address
 * @throws RefusedEnvelope
 */
export function checkRoute(envelope: InboxEnvelope, payload: UnverifiedPayload, own: string): void {
  if (envelope.toAddress !== own) throw new RefusedEnvelope('another address');
  if (payload.body.sender !== envelope.from) throw new RefusedEnvelope('another sender inside than outside');
  if (payload.channel === 'group') {
    if (payload.body.groupId !== envelope.groupId) throw new RefusedEnvelope('meant for another group');
    return;
  }
  if (envelope.groupId !== undefined) throw new RefusedEnvelope('a direct message that came through a group');
  if (envelope.from !== own && payload.body.peer !== own)
    throw new RefusedEnvelope('meant for another address');
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
    const kind = unsignedKindOf(envelope);
    if (list && allowsUnsigned(list, kind)) return kind;
    throw new RefusedEnvelope(`unsigned, which its sender does not allow (${kind})`);
  }
  const device = list?.devices.find(({ deviceId }) => deviceId === payload.deviceId);
  if (!device) throw new RefusedEnvelope('signed by a device that its sender did not certify');
  if (decodeTime(device.validUntil) <= decodeTime(envelope.receivedAt)) {
    throw new RefusedEnvelope('signed by a device whose certificate had ended');
  }
  if (!payload.isSignedBy(decodeBase64Url(device.key)))
    throw new RefusedEnvelope('the signature does not hold');
  return 'signed';
}

function unsignedKindOf(envelope: InboxEnvelope): UnsignedKind {
  return envelope.via === 'group_token' ? 'bots' : 'api';
}

function allowsUnsigned(list: DeviceList, kind: UnsignedKind): boolean {
  const allowed: readonly UnsignedKind[] = list.unsigned;
  return allowed.includes(kind);
}
