/**
 * HPKE (RFC 9180) in Base mode, limited to the export of secrets and to our two suites. Both use HKDF-SHA256 0x0001
 * and AES-256-GCM 0x0002. One has DHKEM(X25519, HKDF-SHA256) 0x0020, the other MLKEM768-X25519 0x647a, which is
 * X-Wing.
 */
import { hmacSha256, type PrivateKey, x25519 } from './crypto.ts';
import { concatBytes, encodeUtf8 } from './encoding.ts';
import type { MlKem } from './ml-kem/ml-kem.ts';
import {
  decapsulateHybrid,
  encapsulateHybrid,
  type HybridPrivateKey,
  type HybridPublicKey,
} from './x-wing.ts';

const VERSION = encodeUtf8('HPKE-v1');
const EMPTY = new Uint8Array(0);
const MODE_BASE = Uint8Array.of(0x00);
const LENGTH_32 = Uint8Array.of(0, 32);
const LAST_BLOCK = Uint8Array.of(0x01);

/**
 * The prefix of every labeled input (RFC 9180 §4): "HPKE-v1" || suite_id || label. Built once, used for each copy.
 */
const prefix = (suite: Uint8Array, label: string) => concatBytes(VERSION, suite, encodeUtf8(label));

const KEM_SUITE = concatBytes(encodeUtf8('KEM'), Uint8Array.of(0x00, 0x20));
const EAE_PRK = prefix(KEM_SUITE, 'eae_prk');
const SHARED_SECRET = prefix(KEM_SUITE, 'shared_secret');

/** A suite: the prefixes of its labels. */
export interface HpkeSuite {
  readonly infoHash: Uint8Array;
  readonly secret: Uint8Array;
  readonly key: Uint8Array;
  readonly baseNonce: Uint8Array;
  readonly exporterSecret: Uint8Array;
  readonly export: Uint8Array;
  /** The hash of Base mode's empty psk_id: a constant. */
  readonly emptyPskIdHash: Uint8Array;
}

/** @param kem number in HPKE's registry */
function suiteOf(kem: number): HpkeSuite {
  const id = concatBytes(encodeUtf8('HPKE'), Uint8Array.of(kem >> 8, kem & 0xff, 0x00, 0x01, 0x00, 0x02));
  return {
    infoHash: prefix(id, 'info_hash'),
    secret: prefix(id, 'secret'),
    key: prefix(id, 'key'),
    baseNonce: prefix(id, 'base_nonce'),
    exporterSecret: prefix(id, 'exp'),
    export: prefix(id, 'sec'),
    emptyPskIdHash: labeledExtract(EMPTY, prefix(id, 'psk_id_hash'), EMPTY),
  };
}

export const X25519_SUITE = suiteOf(0x0020);
export const HYBRID_SUITE = suiteOf(0x647a);

/** The shared result of set-up (RFC 9180 §5.1): 32 bytes each, the key schedule context 65. */
export interface HpkeContext {
  readonly suite: HpkeSuite;
  readonly sharedSecret: Uint8Array;
  readonly keyScheduleContext: Uint8Array;
  readonly secret: Uint8Array;
  readonly exporterSecret: Uint8Array;
}

/** LabeledExtract of RFC 9180 §4: a pseudo-random key of 32 bytes. */
function labeledExtract(salt: Uint8Array, label: Uint8Array, input: Uint8Array): Uint8Array {
  return hmacSha256(salt, label, input);
}

/** LabeledExpand of RFC 9180 §4 for at most 32 bytes: one block of HKDF-Expand. */
function labeledExpand(
  key: Uint8Array,
  label: Uint8Array,
  length: number,
  ...info: readonly Uint8Array[]
): Uint8Array {
  if (length > 32) throw new RangeError('at most 32 bytes');
  const lengthBytes = length === 32 ? LENGTH_32 : Uint8Array.of(0, length);
  const block = hmacSha256(key, lengthBytes, label, ...info, LAST_BLOCK);
  return length === 32 ? block : block.slice(0, length);
}

/** ExtractAndExpand of DHKEM, RFC 9180 §4.1. */
function kemSecret(dh: Uint8Array, enc: Uint8Array, recipientKey: Uint8Array): Uint8Array {
  const key = labeledExtract(EMPTY, EAE_PRK, dh);
  return labeledExpand(key, SHARED_SECRET, 32, enc, recipientKey);
}

/**
 * key_schedule_context of RFC 9180 §5.1 in Base mode: mode || psk_id_hash || info_hash, 65 bytes. It depends only on
 * the suite and on `info`, so a caller may reuse it for the same route.
 */
export function keyScheduleContext(suite: HpkeSuite, info: Uint8Array): Uint8Array {
  return concatBytes(MODE_BASE, suite.emptyPskIdHash, labeledExtract(EMPTY, suite.infoHash, info));
}

/** KeySchedule in Base mode, RFC 9180 §5.1. */
function keySchedule(suite: HpkeSuite, sharedSecret: Uint8Array, scheduleContext: Uint8Array): HpkeContext {
  const secret = labeledExtract(sharedSecret, suite.secret, EMPTY);
  const exporterSecret = labeledExpand(secret, suite.exporterSecret, 32, scheduleContext);
  return { suite, sharedSecret, keyScheduleContext: scheduleContext, secret, exporterSecret };
}

/**
 * SetupBaseS with {@link X25519_SUITE}: the sender's context. The ephemeral key must be fresh for every call
 * (RFC 9180 §9.2.3).
 * @param recipientKey X25519 public key, 32 bytes
 * @param scheduleContext of {@link keyScheduleContext}
 * @returns `enc`, the ephemeral public key of 32 bytes, and the context
 * @throws for a recipient key of small order
 */
export function setupSender(
  recipientKey: Uint8Array,
  scheduleContext: Uint8Array,
  ephemeral: PrivateKey,
): { enc: Uint8Array; context: HpkeContext } {
  const enc = ephemeral.publicKey;
  const dh = x25519(ephemeral, recipientKey);
  const sharedSecret = kemSecret(dh, enc, recipientKey);
  return { enc, context: keySchedule(X25519_SUITE, sharedSecret, scheduleContext) };
}

/**
 * SetupBaseR with {@link X25519_SUITE}: the recipient's context.
 * @param enc the sender's ephemeral public key, 32 bytes
 * @param scheduleContext of {@link keyScheduleContext}
 * @throws for an `enc` of small order
 */
export function setupRecipient(
  enc: Uint8Array,
  recipient: PrivateKey,
  scheduleContext: Uint8Array,
): HpkeContext {
  const dh = x25519(recipient, enc);
  const sharedSecret = kemSecret(dh, enc, recipient.publicKey);
  return keySchedule(X25519_SUITE, sharedSecret, scheduleContext);
}

/**
 * SetupBaseS with {@link HYBRID_SUITE}. X-Wing's secret is used unchanged.
 * @param encapsulate ML-KEM's; replaced only by tests with fixed randomness
 * @returns `enc`, 1,120 bytes, and the context
 * @throws for an unacceptable recipient key
 */
export function setupHybridSender(
  recipient: HybridPublicKey,
  scheduleContext: Uint8Array,
  ephemeral: PrivateKey,
  encapsulate?: MlKem['encapsulate'],
): { enc: Uint8Array; context: HpkeContext } {
  const { ciphertext, sharedSecret } = encapsulateHybrid(recipient, ephemeral, encapsulate);
  return { enc: ciphertext, context: keySchedule(HYBRID_SUITE, sharedSecret, scheduleContext) };
}

/**
 * SetupBaseR with {@link HYBRID_SUITE}.
 * @param enc 1,120 bytes
 * @throws for an `enc` of another length, or whose X25519 half has small order
 */
export function setupHybridRecipient(
  enc: Uint8Array,
  recipient: HybridPrivateKey,
  scheduleContext: Uint8Array,
): HpkeContext {
  return keySchedule(HYBRID_SUITE, decapsulateHybrid(recipient, enc), scheduleContext);
}

/** Context.Export of RFC 9180 §5.3, at most 32 bytes. */
export function exportSecret(context: HpkeContext, exporterContext: Uint8Array, length: number): Uint8Array {
  return labeledExpand(context.exporterSecret, context.suite.export, length, exporterContext);
}

/**
 * The key and base nonce of the AEAD, also from the key schedule. Our envelopes do not use them, because the
 * specification's nonce is chosen by the sender; RFC 9180's published encryptions do.
 * @internal for the test of those encryptions
 */
export function aeadParameters(context: HpkeContext): { key: Uint8Array; baseNonce: Uint8Array } {
  const { suite, secret, keyScheduleContext } = context;
  return {
    key: labeledExpand(secret, suite.key, 32, keyScheduleContext),
    baseNonce: labeledExpand(secret, suite.baseNonce, 12, keyScheduleContext),
  };
}
