/**
 * Sealing and opening one copy of a payload (docs/protocol.md, 'Sealing').
 *
 *   info       = "waxwing/seal/v1" || from(20) || to(20)
 *   key        = HPKE.Export("waxwing/seal/v1/key", 32)
 *   header     = version | suite | flags | 0 | senderListSeq u32 | recipientListSeq u32
 *   ciphertext = header || in suite 0x02 ML-KEM's ciphertext || AES-256-GCM(key, nonce, aad = header, padded payload)
 */

import { BoundedMap } from './bounded-map.ts';
import { decryptAesGcm, encryptAesGcm, generateX25519, type PrivateKey, randomBytes } from './crypto.ts';
import { concatBytes, encodeUtf8 } from './encoding.ts';
import {
  type EnvelopeHeader,
  findShapeFault,
  HEADER_BYTES,
  KEM_BYTES,
  NONCE_BYTES,
  overheadOf,
  readHeader,
  readSuite,
  type SealedCopy,
  type Suite,
  writeHeader,
} from './envelope-form.ts';
import {
  exportSecret,
  type HpkeContext,
  HYBRID_SUITE,
  keyScheduleContext,
  setupHybridRecipient,
  setupHybridSender,
  setupRecipient,
  setupSender,
  X25519_SUITE,
} from './hpke.ts';
import { ML_KEM_CIPHERTEXT_BYTES, type MlKem } from './ml-kem/ml-kem.ts';
import { pad, paddedLength, unpad } from './padding.ts';
import { addressBytes } from './wire-address.ts';
import type { HybridPrivateKey, HybridPublicKey } from './x-wing.ts';
import { isAcceptableX25519 } from './x25519-keys.ts';

const INFO_LABEL = encodeUtf8('waxwing/seal/v1');
const KEY_LABEL = encodeUtf8('waxwing/seal/v1/key');
const KEY_BYTES = 32;

/** The key for sealing a copy: an X25519 key of 32 bytes for suite 0x01, or both halves of a hybrid key for 0x02. */
export type RecipientKey = Uint8Array | HybridPublicKey;

/** The key for opening a copy: an X25519 key opens only suite 0x01, a hybrid key both. */
export type OpeningKey = PrivateKey | HybridPrivateKey;

/** The wire addresses of sender and recipient of a copy. The relay routes it under `from`. */
export interface Route {
  from: string;
  to: string;
}

/** The only error of opening, for every reason. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  constructor() {
    super('this envelope cannot be opened');
  }
}

const CACHED_ROUTES = 8192;
const HPKE_SUITES = { 1: X25519_SUITE, 2: HYBRID_SUITE };
const routeContexts = new BoundedMap<string, Uint8Array>(CACHED_ROUTES);

/** HPKE's key schedule context of a route. It is public, so all copies share one cache. */
function routeContext(suite: Suite, route: Route): Uint8Array {
  const name = `${suite} ${route.from} ${route.to}`;
  const cached = routeContexts.get(name);
  if (cached) return cached;
  const info = concatBytes(INFO_LABEL, addressBytes(route.from), addressBytes(route.to));
  const context = keyScheduleContext(HPKE_SUITES[suite], info);
  routeContexts.set(name, context);
  return context;
}

/** Random values, fixed only by test vectors. An ephemeral key must be used once. */
export interface SealRandomness {
  ephemeral: PrivateKey;
  nonce: Uint8Array;
  /** ML-KEM with fixed randomness. */
  encapsulate?: MlKem['encapsulate'];
}

/** A fresh ephemeral key and nonce. May be prepared in idle time. */
export function newRandomness(): SealRandomness {
  return {
    ephemeral: generateX25519(),
    nonce: randomBytes(NONCE_BYTES),
  };
}

/**
 * Seals a payload for one device, in the suite of its key.
 * @param payload at most 65,535 bytes
 * @throws RangeError for a longer payload, Error for an unacceptable key
 */
export function sealCopy(
  route: Route,
  recipient: RecipientKey,
  header: EnvelopeHeader,
  payload: Uint8Array,
  randomness: SealRandomness = newRandomness(),
): SealedCopy {
  const { ephemeral, nonce } = randomness;
  const { suite, context, lattice } = setUpSender(route, recipient, randomness);
  const key = exportSecret(context, KEY_LABEL, KEY_BYTES);
  const paddedBytes = paddedLength(payload);
  // Padded and encrypted in place: each further array is memory to allocate and to collect.
  const ciphertext = new Uint8Array(overheadOf(suite) + paddedBytes);
  writeHeader(suite, header, ciphertext);
  if (lattice) ciphertext.set(lattice, HEADER_BYTES);
  const sealed = ciphertext.subarray(HEADER_BYTES + KEM_BYTES[suite]);
  const padded = pad(payload, sealed.subarray(0, paddedBytes));
  encryptAesGcm(key, nonce, ciphertext.subarray(0, HEADER_BYTES), padded, sealed);
  return { ciphertext, ephemeralPublicKey: ephemeral.publicKey, nonce };
}

/** HPKE's context, and the part of its `enc` inside the ciphertext: ML-KEM's; null in suite 0x01. */
function setUpSender(
  route: Route,
  recipient: RecipientKey,
  { ephemeral, encapsulate }: SealRandomness,
): { suite: Suite; context: HpkeContext; lattice: Uint8Array | null } {
  const isHybrid = 'mlKem' in recipient;
  if (!isAcceptableX25519(isHybrid ? recipient.x25519 : recipient)) {
    throw new Error('not a seal key that may be used');
  }
  if (!isHybrid) {
    const { context } = setupSender(recipient, routeContext(0x01, route), ephemeral);
    return { suite: 0x01, context, lattice: null };
  }
  const { enc, context } = setupHybridSender(recipient, routeContext(0x02, route), ephemeral, encapsulate);
  return { suite: 0x02, context, lattice: enc.subarray(0, ML_KEM_CIPHERTEXT_BYTES) };
}

/**
 * Opens one copy.
 * @param asRequest the flag beside the ciphertext: must match the header
 * @throws OpenError for every failure
 */
export function openCopy(
  route: Route,
  sealKey: OpeningKey,
  copy: SealedCopy,
  asRequest: boolean,
): { header: EnvelopeHeader; payload: Uint8Array } {
  const header = readHeader(copy.ciphertext);
  const suite = readSuite(copy.ciphertext);
  if (!header || !suite || findShapeFault(copy, asRequest) !== null) throw new OpenError();
  try {
    const context = setUpRecipient(suite, route, sealKey, copy);
    const key = exportSecret(context, KEY_LABEL, KEY_BYTES);
    const aad = copy.ciphertext.subarray(0, HEADER_BYTES);
    const sealed = copy.ciphertext.subarray(HEADER_BYTES + KEM_BYTES[suite]);
    const payload = unpad(decryptAesGcm(key, copy.nonce, aad, sealed));
    if (payload) return { header, payload };
  } catch {
    // The same error for every failed step: the difference would help an attacker.
  }
  throw new OpenError();
}

/** @throws if the key is for the other suite only, or for an ephemeral key of small order */
function setUpRecipient(
  suite: Suite,
  route: Route,
  sealKey: OpeningKey,
  { ciphertext, ephemeralPublicKey }: SealedCopy,
): HpkeContext {
  const scheduleContext = routeContext(suite, route);
  if (suite === 0x01) {
    const key = 'mlKem' in sealKey ? sealKey.x25519 : sealKey;
    return setupRecipient(ephemeralPublicKey, key, scheduleContext);
  }
  if (!('mlKem' in sealKey)) throw new Error('an X25519 key opens suite 0x01 alone');
  const lattice = ciphertext.subarray(HEADER_BYTES, HEADER_BYTES + ML_KEM_CIPHERTEXT_BYTES);
  return setupHybridRecipient(concatBytes(lattice, ephemeralPublicKey), sealKey, scheduleContext);
}
