/** Envelopes that a lying relay creates. It has all public keys, and its own key pairs. */

import { type PrivateKey, randomBytes } from '../../../src/protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { sealCopy } from '../../../src/protocol/envelope.ts';
import {
  type DirectBody,
  encodePayload,
  type GroupBody,
  type Signer,
} from '../../../src/protocol/payload.ts';
import type { RosterReference } from '../../../src/protocol/roster/reference.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { encodeBotPayload } from '../bot-payload.ts';
import type { HostileRelay } from './proxy.ts';

/** The destination of a forged envelope: an address, one of its devices, and the key that opens it there. */
export interface Target {
  address: string;
  deviceId: string;
  sealKey: string;
}

/** The only device of an address, as the relay has it. */
export async function targetOf(hostile: HostileRelay, token: string, address: string): Promise<Target> {
  const { body } = await hostile.relay.call('getKeys', { token, params: { address } });
  const [sealKey] = body.sealKeys;
  if (!sealKey) throw new Error('this address has no device');
  return { address, deviceId: sealKey.deviceId, sealKey: sealKey.key };
}

/** A body of a direct text. */
export function directBody(from: string, to: string, text: string): DirectBody {
  return { ...common(from, text), peer: to };
}

export function groupBody(from: string, groupId: string, roster: RosterReference, text: string): GroupBody {
  return { ...common(from, text), groupId, roster };
}

function common(sender: string, text: string) {
  const id = encodeBase64Url(randomBytes(16));
  return { id, sender, sentAt: encodeTime(Date.now()), seq: 1, kind: 'text', text };
}

/**
 * Seals a body for a device and puts it into an envelope of any sender.
 * @param signer null for an unsigned one
 * @param knows numbers of the device lists that the header names
 */
export function forge(
  from: string,
  target: Target,
  message: { channel: 'direct'; body: DirectBody } | { channel: 'group'; body: GroupBody },
  signer: Signer | null,
  changes: Partial<InboxEnvelope> = {},
  knows = { senderListSequence: 1, recipientListSequence: 1 },
): InboxEnvelope {
  return wrap(from, target, encodePayload(message, signer), groupOf(message.body), changes, knows);
}

/** The same, signed by a bot: by a group token, with `seq` 0. */
export function forgeByBot(
  target: Target,
  body: GroupBody,
  bot: PrivateKey,
  changes: Partial<InboxEnvelope> = {},
): InboxEnvelope {
  const payload = encodeBotPayload({ ...body, seq: 0 }, bot);
  return wrap(body.sender, target, payload, body.groupId, { via: 'group_token', ...changes });
}

function groupOf(body: DirectBody | GroupBody): string | null {
  return 'groupId' in body ? (body as GroupBody).groupId : null;
}

/** Seals any payload for a device, and puts it into an envelope. */
export function wrap(
  from: string,
  target: Target,
  payload: Uint8Array,
  groupId: string | null,
  changes: Partial<InboxEnvelope> = {},
  knows = { senderListSequence: 1, recipientListSequence: 1 },
): InboxEnvelope {
  const header = { asRequest: false, automated: false, ...knows };
  const route = { from, to: target.address };
  const copy = sealCopy(route, decodeBase64Url(target.sealKey), header, payload);
  return {
    id: encodeBase64Url(randomBytes(32)),
    from,
    toAddress: target.address,
    recipientDeviceKey: target.sealKey,
    ciphertext: encodeBase64Url(copy.ciphertext),
    ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
    nonce: encodeBase64Url(copy.nonce),
    ...(groupId !== null && { groupId }),
    via: 'session',
    receivedAt: encodeTime(Date.now()),
    ...changes,
  };
}
