/**
 * The form of one sealed copy: lengths, header and suite, for everything that handles copies without sealing or opening them.
 * The relay checks it without loading the cryptography (docs/protocol.md, 'Sealing').
 */

import { decodeBase64Url, isUtf8, writeU32 } from './encoding.ts';
import type { FaultOf } from './faults.ts';
import { ML_KEM_CIPHERTEXT_BYTES } from './ml-kem/ml-kem.ts';
import { isBucket } from './padding.ts';
import { isAcceptableX25519 } from './x25519-keys.ts';

export const HEADER_BYTES = 12;
export const TAG_BYTES = 16;
export const NONCE_BYTES = 12;

const VERSION = 0x01;
/** With HKDF-SHA256 and AES-256-GCM: DHKEM(X25519, HKDF-SHA256) 0x01, and MLKEM768-X25519 0x02. */
export type Suite = 0x01 | 0x02;
/** Length of the KEM ciphertext between the header and the sealed payload. */
export const KEM_BYTES: Record<Suite, number> = { 1: 0, 2: ML_KEM_CIPHERTEXT_BYTES };
/** The overhead of a ciphertext over its padded payload, in bytes, and its maximum. */
export const overheadOf = (suite: Suite) => HEADER_BYTES + KEM_BYTES[suite] + TAG_BYTES;
export const MAX_ENVELOPE_OVERHEAD = overheadOf(0x02);
const FLAG_AS_REQUEST = 0x01;
const FLAG_AUTOMATED = 0x02;

/** The 12 bytes before the sealed part: readable by the relay, authenticated by the tag. */
export interface EnvelopeHeader {
  /** First contact: the recipient should see a request. */
  asRequest: boolean;
  /** Sent by a program. */
  automated: boolean;
  /** Sequence of the sender's own device list; 0 if unknown. */
  senderListSequence: number;
  /** Sequence of the recipient's device list as the sender knew it; 0 if unknown. */
  recipientListSequence: number;
}

/** The three opaque fields of the specification's envelope. */
export interface SealedCopy {
  ciphertext: Uint8Array;
  /** HPKE's `enc`: the sender's ephemeral X25519 public key, 32 bytes. */
  ephemeralPublicKey: Uint8Array;
  /** AES-GCM nonce, 12 bytes. */
  nonce: Uint8Array;
}

/**
 * Writes the header of a ciphertext into its first {@link HEADER_BYTES} bytes.
 * @throws EncodingError for a sequence that is not a u32
 */
export function writeHeader(suite: Suite, header: EnvelopeHeader, into: Uint8Array): void {
  into[0] = VERSION;
  into[1] = suite;
  into[2] = (header.asRequest ? FLAG_AS_REQUEST : 0) | (header.automated ? FLAG_AUTOMATED : 0);
  into[3] = 0;
  writeU32(header.senderListSequence, into, 4);
  writeU32(header.recipientListSequence, into, 8);
}

/** The suite of a ciphertext; null for unknown suites. */
export function readSuite(ciphertext: Uint8Array): Suite | null {
  const suite = ciphertext[1];
  return suite === 0x01 || suite === 0x02 ? suite : null;
}

/**
 * The suite of an envelope.
 * @throws Error for an unknown suite, which no client could open
 */
export function suiteOf({ ciphertext }: { ciphertext: string }): Suite {
  // The header is at the beginning.
  const suite = readSuite(decodeBase64Url(ciphertext.slice(0, 4)));
  if (suite === null) throw new Error('a copy of no suite of ours');
  return suite;
}

/** The length of the padded payload in a ciphertext, in bytes; null for an unknown suite. */
export function paddedBytesIn(ciphertext: Uint8Array): number | null {
  const suite = readSuite(ciphertext);
  return suite && ciphertext.length - overheadOf(suite);
}

/** The header of a ciphertext; null for an unknown version, suite or flags. */
export function readHeader(ciphertext: Uint8Array): EnvelopeHeader | null {
  if (ciphertext.length < HEADER_BYTES) return null;
  const view = new DataView(ciphertext.buffer, ciphertext.byteOffset, HEADER_BYTES);
  const flags = view.getUint8(2);
  if (view.getUint8(0) !== VERSION || !readSuite(ciphertext) || view.getUint8(3) !== 0) return null;
  if ((flags & ~(FLAG_AS_REQUEST | FLAG_AUTOMATED)) !== 0) return null;
  return {
    asRequest: (flags & FLAG_AS_REQUEST) !== 0,
    automated: (flags & FLAG_AUTOMATED) !== 0,
    senderListSequence: view.getUint32(4),
    recipientListSequence: view.getUint32(8),
  };
}

/**
 * The fault in the outer form of a copy; null if valid. Checks all that a relay can see: lengths, header, keys, and
 * that the sealed part is not readable text.
 */
export function findShapeFault(copy: SealedCopy, asRequest: boolean): FaultOf<'shape'> | null {
  if (copy.nonce.length !== NONCE_BYTES) return 'nonce';
  if (!isAcceptableX25519(copy.ephemeralPublicKey)) return 'ephemeral_key';
  const { ciphertext } = copy;
  const header = readHeader(ciphertext);
  const suite = readSuite(ciphertext);
  if (!header || !suite) return 'header';
  if (!isBucket(paddedBytesIn(ciphertext) ?? 0)) {
    return suite === 0x02 ? 'hybrid_ciphertext_length' : 'ciphertext_length';
  }
  if (header.asRequest !== asRequest) return 'request_flag';
  const sealedAt = HEADER_BYTES + KEM_BYTES[suite];
  // ML-KEM's ciphertext is random if genuine: readable text could be hidden in it.
  if (isUtf8(ciphertext.subarray(HEADER_BYTES)) || isUtf8(ciphertext.subarray(sealedAt))) return 'readable';
  return null;
}
