/**
 * What a recipient holds against an opened copy before anybody sees it (docs/protocol.md, 'What a recipient does').
 */
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import type { EnvelopeHeader } from '../../protocol/envelope.ts';
import { toLabel } from '../../protocol/label.ts';
import type { UnverifiedPayload } from '../../protocol/payload.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { SenderProof } from '../contents/rights.ts';
import type { TokenBot } from './received.ts';
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
  payload: UnverifiedPayload,
  header: EnvelopeHeader,
): boolean {
  if (!list || header.senderListSequence > list.sequence) return false;
  if (payload.deviceId === null) return allowsUnsigned(list);
  return list.devices.some(({ deviceId }) => deviceId === payload.deviceId);
}

/**
 * What did not come from the sender's devices and programs: a bot's post, or one that nobody signed and that came by a group
 * token. Whether it counts is for the chain of its group to say. Null for all else.
 * @throws RefusedEnvelope for a bot's post that came another way
 */
export function tokenProofOf({ via }: InboxEnvelope, payload: UnverifiedPayload): 'bot' | 'token' | null {
  if (payload.botId !== null) {
    if (via !== 'group_token') throw new RefusedEnvelope('bot_without_token');
    return 'bot';
  }
  return payload.deviceId === null && via === 'group_token' ? 'token' : null;
}

/** So much of a name is looked at, whatever a relay sends: more than is left of it. */
const MOST_NAME = 1_000;

/** Which token posted what nobody signed. Proves nothing: a relay could make up the post as well. */
export function tokenBotOf({ bot }: InboxEnvelope): TokenBot | null {
  return bot ? { token: bot.id, name: toLabel(bot.name.slice(0, MOST_NAME)) } : null;
}

/**
 * How the sender is known, where the word is theirs.
 * @param list what the sender's wallet certified; null if nothing
 * @param receivedAt when the copy counts as received, in milliseconds since 1970: not the relay's bare word
 * @throws RefusedEnvelope if that does not allow the message
 */
export function proveSender(
  list: DeviceList | null,
  payload: UnverifiedPayload,
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
  if (!payload.isSignedBy(decodeBase64Url(device.key))) throw new RefusedEnvelope('signature_wrong');
  return 'signed';
}

function allowsUnsigned({ unsigned }: DeviceList): boolean {
  return unsigned.length > 0;
}
