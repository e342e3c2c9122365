/**
 * From a text to the sealed copies of it: one payload, signed once, sealed for each device.
 */
import { findTextProblem, toMessageText } from '../messaging/contents/text.ts';

import type { ProvenKeys } from '../messaging/trust/judge.ts';
import { native } from '../protocol/crypto/native.ts';
import { listReferenceOf } from '../protocol/device-list.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime, encodeUtf8 } from '../protocol/encoding.ts';
import { sealCopy } from '../protocol/envelope.ts';
import { encodePayload, type Signer } from '../protocol/payload.ts';
import type { GroupEnvelope } from '../protocol/schemas/groups.ts';
import { IdentityError } from './errors.ts';
import type { Identity } from './identity/identity.ts';

/** Where a message goes: to an address, or into a group whose members are these. */
export type Destination = { peer: string } | { groupId: string; members: string };

export interface Draft {
  /** 16 bytes in base64url. */
  id: string;
  text: string;
  /** The address that the relay will name as the sender. */
  from: string;
  destination: Destination;
  /** Signs, and counts the message; null where nobody signs. */
  identity: Identity | null;
}

/** A new message id: 16 random bytes in base64url. */
export function newMessageId(): string {
  return encodeBase64Url(native.randomBytes(16));
}

/**
 * The id of the answer to a message: the same each time, so that an answer that is sent again after a crash is the
 * same message to its recipients.
 */
export function answerIdOf(from: string, question: { from: string; id: string }): string {
  const bytes = encodeUtf8(`waxwing/answer/v1 ${from} ${question.from} ${question.id}`);
  return encodeBase64Url(native.sha256(bytes).slice(0, 16));
}

/** What an identity counts its messages by: the recipient's address, or the group's id. */
export function conversationOf(destination: Destination): string {
  return 'peer' in destination ? destination.peer : destination.groupId;
}

/**
 * The payload of a text message, encoded once for all its copies. Who does not sign does not count either: seq 0.
 * Line breaks become LF, and other control characters, which no recipient would show, U+FFFD.
 * @throws RangeError for a text that is empty or too long, with a sentence that says the limit
 */
export function encodeText({ id, text: given, from, destination, identity }: Draft): Uint8Array {
  const text = toMessageText(given);
  const problem = findTextProblem(text);
  if (problem !== null) throw new RangeError(problem);
  const common = {
    id,
    sender: from,
    sentAt: encodeTime(Date.now()),
    seq: identity ? identity.journal.sent(conversationOf(destination)) + 1 : 0,
    kind: 'text',
    text,
  };
  return encodePayload(
    native,
    'peer' in destination
      ? { channel: 'direct', body: { ...common, ...destination } }
      : { channel: 'group', body: { ...common, ...destination } },
    identity && signerOf(identity),
  );
}

/** @throws IdentityError before the identity is registered */
function signerOf({ address, deviceKey, deviceList }: Identity): Signer {
  if (!deviceList)
    throw new IdentityError('This identity is not registered at a relay yet. Register it first.');
  return { deviceKey, list: listReferenceOf(native, address, deviceList) };
}

export interface CopyOptions {
  from: string;
  to: string;
  asRequest: boolean;
  automated: boolean;
  /** The sender's own, whose device list's number the copies name, and whose device gets no copy. */
  identity: Identity | null;
}

/** Seals a payload once for each device of an address. */
export function sealCopies(payload: Uint8Array, keys: ProvenKeys, options: CopyOptions): GroupEnvelope[] {
  const { from, to, asRequest, automated, identity } = options;
  const header = {
    asRequest,
    automated,
    senderListSequence: identity?.deviceList?.sequence ?? 0,
    recipientListSequence: keys.deviceList.sequence,
  };
  return keys.sealKeys
    .filter(({ deviceId }) => deviceId !== identity?.deviceId)
    .map(({ key }) => {
      const copy = sealCopy(native, { from, to }, decodeBase64Url(key), header, payload);
      return {
        toAddress: to,
        recipientDeviceKey: key,
        ciphertext: encodeBase64Url(copy.ciphertext),
        ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
        nonce: encodeBase64Url(copy.nonce),
      };
    });
}
