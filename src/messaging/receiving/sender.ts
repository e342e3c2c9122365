/**
 * A recipient's checks of an opened copy before anyone sees it (docs/protocol.md, 'Steps of a recipient').
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import type { EnvelopeHeader } from '../../protocol/envelope-form.ts';
import { toLabel } from '../../protocol/label.ts';
import type { UnverifiedPayload } from '../../protocol/payload.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { SenderProof } from '../contents/rights.ts';
import type { TokenBot } from './received.ts';
import { RefusedEnvelope } from './refused-envelope.ts';

/**
 * Checks that the sealed header agrees with the envelope around it.
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

/** Reports whether the known list decides on the sender, without asking the relay for a newer one. */
export function isSettledBy(
  list: DeviceList | null,
  payload: UnverifiedPayload,
  header: EnvelopeHeader,
): boolean {
  if (!list || header.senderListSequence > list.sequence) return false;
  if (payload.deviceId === null) return allowsUnsigned(list);
  return list.devices.some(({ deviceId }) => deviceId === payload.deviceId);
}

/**
 * Messages from neither a device nor a program of the sender: a bot's post, or an unsigned one with a group
 * token. The chain of its group decides on them. Null for all others.
 * @throws RefusedEnvelope for a bot's post by another way
 */
export function tokenProofOf({ via }: InboxEnvelope, payload: UnverifiedPayload): 'bot' | 'token' | null {
  if (payload.botId !== null) {
    if (via !== 'group_token') throw new RefusedEnvelope('bot_without_token');
    return 'bot';
  }
  return payload.deviceId === null && via === 'group_token' ? 'token' : null;
}

/** Length limit of a name before it is cleaned. Longer than the cleaned name. */
const MAX_NAME = 1_000;

/** The token of an unsigned post. Proves nothing: a relay could invent the post as well. */
export function tokenBotOf({ bot }: InboxEnvelope): TokenBot | null {
  return bot ? { token: bot.id, name: toLabel(bot.name.slice(0, MAX_NAME)) } : null;
}

/**
 * Proof of a message in the sender's name.
 * @param list certified by the sender's wallet; null for none
 * @param verifiedKey the key for which the signature was verified when the copy was opened; null for none
 * @param receivedAt time at which the copy counts as received, in milliseconds since 1970: not simply the
 * relay's
 * @throws RefusedEnvelope if the list does not allow the message
 */
export function proveSender(
  list: DeviceList | null,
  payload: UnverifiedPayload,
  verifiedKey: string | null,
  receivedAt: number,
): SenderProof {
  if (payload.deviceId === null) {
    if (list && allowsUnsigned(list)) return 'api';
    throw new RefusedEnvelope('unsigned');
  }
  const device = list?.devices.find(({ deviceId }) => deviceId === payload.deviceId);
  if (!device) throw new RefusedEnvelope('device_not_certified');
  const validUntil = decodeTime(device.validUntil);
  if (validUntil <= receivedAt || validUntil <= decodeTime(payload.body.sentAt)) {
    throw new RefusedEnvelope('device_expired');
  }
  if (device.key !== verifiedKey && !payload.isSignedBy(decodeBase64Url(device.key))) {
    throw new RefusedEnvelope('signature_wrong');
  }
  return 'signed';
}

function allowsUnsigned({ unsigned }: DeviceList): boolean {
  return unsigned.length > 0;
}
