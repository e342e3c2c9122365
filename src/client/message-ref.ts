/**
 * A text that names a message, for storing: its place, sender, time and digest. A form of this library, never sent: on the wire
 * a message is named by `ref` (docs/protocol.md, 'References').
 *
 *   ref = "wxm_" || base64url(
 *     0x01 | place | proof | sentAt u48 | expires u32 | sender(20) | id(16) | digest(16) | where(0, 20 or 16))
 */
import type { Ref } from '../messaging/contents/fields.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { concatBytes, decodeBase64Url, encodeBase64Url, encodeU32, encodeU64 } from '../protocol/encoding.ts';
import { addressBytes } from '../protocol/wire-address.ts';
import { Failure } from './errors.ts';
import type { Destination } from './sealing.ts';

const PREFIX = 'wxm_';
const VERSION = 1;
/** Its place: between its sender and the reader, between its sender and another address, or in a group. */
const PLACES = ['sender', 'peer', 'group'] as const;
const PROOFS: readonly SenderProof[] = ['signed', 'bot', 'api', 'token'];
/** In the byte of the proof: the message has files, and an edit replaces their caption. */
const FILES = 0x80;
const SENT_AT = 3;
const EXPIRES = 9;
const SENDER = 13;
const ID = 33;
const DIGEST = 49;
const WHERE = 65;
const WHERE_BYTES = { sender: 0, peer: 20, group: 16 } as const;

/** A complete reference to a message. */
export interface NamedMessage {
  /** Its reference on the wire. */
  name: Ref;
  /** Its conversation. */
  where: Destination;
  proof: SenderProof;
  /** True for a message with files. */
  hasFiles: boolean;
  /** Time in its body, in milliseconds since 1970. */
  sentAt: number;
  /** Lifetime in seconds; null if it does not disappear. */
  expires: number | null;
}

export function encodeRef({ name, where, proof, hasFiles, sentAt, expires }: NamedMessage): string {
  const place = 'groupId' in where ? 'group' : where.peer === name.sender ? 'sender' : 'peer';
  const head = Uint8Array.of(VERSION, PLACES.indexOf(place), PROOFS.indexOf(proof) | (hasFiles ? FILES : 0));
  const rest =
    'groupId' in where
      ? decodeBase64Url(where.groupId)
      : place === 'peer'
        ? addressBytes(where.peer)
        : new Uint8Array();
  const parts = [addressBytes(name.sender), decodeBase64Url(name.id), decodeBase64Url(name.digest), rest];
  return (
    PREFIX + encodeBase64Url(concatBytes(head, encodeU64(sentAt).slice(2), encodeU32(expires ?? 0), ...parts))
  );
}

/** @throws Failure message_ref_malformed */
export function decodeRef(text: string): NamedMessage {
  const bytes = bytesOf(text);
  const [version, placeAt = -1, proofAt = 0] = bytes;
  const [place, proof] = [PLACES[placeAt], PROOFS[proofAt & ~FILES]];
  if (version !== VERSION || !place || !proof || bytes.length !== WHERE + WHERE_BYTES[place])
    throw new Failure('message_ref_malformed');
  const sender = addressIn(bytes.slice(SENDER, ID));
  const rest = bytes.slice(WHERE);
  const name = {
    sender,
    id: encodeBase64Url(bytes.slice(ID, DIGEST)),
    digest: encodeBase64Url(bytes.slice(DIGEST, WHERE)),
  };
  const where =
    place === 'group'
      ? { groupId: encodeBase64Url(rest) }
      : { peer: place === 'peer' ? addressIn(rest) : sender };
  const expires = numberIn(bytes.slice(EXPIRES, SENDER));
  const sentAt = numberIn(bytes.slice(SENT_AT, EXPIRES));
  return { name, where, proof, hasFiles: (proofAt & FILES) !== 0, sentAt, expires: expires || null };
}

function bytesOf(text: string): Uint8Array {
  try {
    if (text.startsWith(PREFIX)) return decodeBase64Url(text.slice(PREFIX.length));
  } catch {
    // Reported below.
  }
  throw new Failure('message_ref_malformed');
}

function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function addressIn(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
