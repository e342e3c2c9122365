/**
 * Sealing and opening one copy of a payload (docs/protocol.md, 'Sealing').
 *
 *   info       = "waxwing/seal/v1" || from(20) || to(20)
 *   key        = HPKE.Export("waxwing/seal/v1/key", 32)
 *   header     = version | suite | flags | 0 | senderListSeq u32 | recipientListSeq u32
 *   ciphertext = header || AES-256-GCM(key, nonce, aad = header, padded payload)
 */

import { addressBytes } from './address.ts';
import { decryptAesGcm, encryptAesGcm, generateX25519, type PrivateKey, randomBytes } from './crypto.ts';
import { concatBytes, encodeU32, encodeUtf8, isUtf8 } from './encoding.ts';
import type { ShapeFault } from './faults.ts';
import { exportSecret, keyScheduleContext, setupRecipient, setupSender } from './hpke.ts';
import { isBucket, pad, unpad } from './padding.ts';
import { RecentMap } from './recent-map.ts';
import { isAcceptableX25519 } from './x25519-keys.ts';

const INFO_LABEL = encodeUtf8('waxwing/seal/v1');
const KEY_LABEL = encodeUtf8('waxwing/seal/v1/key');

export const HEADER_BYTES = 12;
export const TAG_BYTES = 16;
export const NONCE_BYTES = 12;
export const KEY_BYTES = 32;

const VERSION = 0x01;
/** DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. 0x02 is reserved for the post-quantum hybrid. */
const SUITE = 0x01;
const FLAG_AS_REQUEST = 0x01;
const FLAG_AUTOMATED = 0x02;

/** The 12 bytes before the sealed part: readable by the relay, authenticated by the tag. */
export interface EnvelopeHeader {
  /** First contact: the recipient should see a request. */
  asRequest: boolean;
  /** Written by a program. */
  automated: boolean;
  /** Sequence of the sender's own device list, 0 where not known. */
  senderListSequence: number;
  /** Sequence of the recipient's device list as the sender saw it, 0 where not known. */
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

/** Between whom a copy travels: wire addresses. `from` is what the relay will route it under. */
export interface Route {
  from: string;
  to: string;
}

/** The one error for every reason why a copy does not open. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  constructor() {
    super('this envelope cannot be opened');
  }
}

function encodeHeader(header: EnvelopeHeader): Uint8Array {
  const flags = (header.asRequest ? FLAG_AS_REQUEST : 0) | (header.automated ? FLAG_AUTOMATED : 0);
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes[0] = VERSION;
  bytes[1] = SUITE;
  bytes[2] = flags;
  bytes.set(encodeU32(header.senderListSequence), 4);
  bytes.set(encodeU32(header.recipientListSequence), 8);
  return bytes;
}

/** The header of a ciphertext, or null if its version, suite or flags are not ours. */
export function readHeader(ciphertext: Uint8Array): EnvelopeHeader | null {
  if (ciphertext.length < HEADER_BYTES) return null;
  const view = new DataView(ciphertext.buffer, ciphertext.byteOffset, HEADER_BYTES);
  const flags = view.getUint8(2);
  if (view.getUint8(0) !== VERSION || view.getUint8(1) !== SUITE || view.getUint8(3) !== 0) return null;
  if ((flags & ~(FLAG_AS_REQUEST | FLAG_AUTOMATED)) !== 0) return null;
  return {
    asRequest: (flags & FLAG_AS_REQUEST) !== 0,
    automated: (flags & FLAG_AUTOMATED) !== 0,
    senderListSequence: view.getUint32(4),
    recipientListSequence: view.getUint32(8),
  };
}

/**
 * What is wrong with the outer form of a copy, or null if nothing is.
 * All that a relay can see: lengths, header, keys, and that the sealed part is not readable text.
 */
export function findShapeFault(copy: SealedCopy, asRequest: boolean): ShapeFault | null {
  if (copy.nonce.length !== NONCE_BYTES) return 'nonce';
  if (!isAcceptableX25519(copy.ephemeralPublicKey)) return 'ephemeral_key';
  if (!isBucket(copy.ciphertext.length - HEADER_BYTES - TAG_BYTES)) {
    return 'ciphertext_length';
  }
  const header = readHeader(copy.ciphertext);
  if (!header) return 'header';
  if (header.asRequest !== asRequest) return 'request_flag';
  if (isUtf8(copy.ciphertext.subarray(HEADER_BYTES))) return 'readable';
  return null;
}

const CACHED_ROUTES = 8192;
const routeContexts = new RecentMap<string, Uint8Array>(CACHED_ROUTES);

/** HPKE's key schedule context of a route. Public, so one cache serves all copies. */
function routeContext(route: Route): Uint8Array {
  const name = `${route.from} ${route.to}`;
  const cached = routeContexts.get(name);
  if (cached) return cached;
  const info = concatBytes(INFO_LABEL, addressBytes(route.from), addressBytes(route.to));
  const context = keyScheduleContext(info);
  routeContexts.set(name, context);
  return context;
}

/** Values that are random unless a test vector fixes them. The ephemeral key must be used once. */
export interface SealRandomness {
  ephemeral: PrivateKey;
  nonce: Uint8Array;
}

/** A fresh ephemeral key and nonce. May be made ahead, in idle time. */
export function freshRandomness(): SealRandomness {
  return {
    ephemeral: generateX25519(),
    nonce: randomBytes(NONCE_BYTES),
  };
}

/**
 * Seals a payload for one device.
 * @param recipientKey the device's seal key, 32 bytes
 * @param payload at most 65,535 bytes
 * @throws RangeError for a longer payload, Error for a key that may not be used
 */
export function sealCopy(
  route: Route,
  recipientKey: Uint8Array,
  header: EnvelopeHeader,
  payload: Uint8Array,
  randomness: SealRandomness = freshRandomness(),
): SealedCopy {
  if (!isAcceptableX25519(recipientKey)) throw new Error('not a seal key that may be used');
  const scheduleContext = routeContext(route);
  const { enc, context } = setupSender(recipientKey, scheduleContext, randomness.ephemeral);
  const key = exportSecret(context, KEY_LABEL, KEY_BYTES);
  const aad = encodeHeader(header);
  const sealed = encryptAesGcm(key, randomness.nonce, aad, pad(payload));
  return { ciphertext: concatBytes(aad, sealed), ephemeralPublicKey: enc, nonce: randomness.nonce };
}

/**
 * Opens one copy.
 * @param asRequest the flag beside the ciphertext: must be the one in the header
 * @throws OpenError for every failure alike
 */
export function openCopy(
  route: Route,
  sealKey: PrivateKey,
  copy: SealedCopy,
  asRequest: boolean,
): { header: EnvelopeHeader; payload: Uint8Array } {
  const header = readHeader(copy.ciphertext);
  if (!header || findShapeFault(copy, asRequest) !== null) throw new OpenError();
  try {
    const context = setupRecipient(copy.ephemeralPublicKey, sealKey, routeContext(route));
    const key = exportSecret(context, KEY_LABEL, KEY_BYTES);
    const aad = copy.ciphertext.subarray(0, HEADER_BYTES);
    const sealed = copy.ciphertext.subarray(HEADER_BYTES);
    const payload = unpad(decryptAesGcm(key, copy.nonce, aad, sealed));
    if (payload) return { header, payload };
  } catch {
    // Which step failed is nobody's business: one error for all.
  }
  throw new OpenError();
}
