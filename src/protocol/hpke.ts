/**
 * HPKE (RFC 9180), Base mode, for the one suite that we use, and of it the one part that we use: secrets for export.
 * DHKEM(X25519, HKDF-SHA256) 0x0020, HKDF-SHA256 0x0001, AES-256-GCM 0x0002.
 */
import { hmacSha256, type PrivateKey, x25519 } from './crypto.ts';
import { concatBytes, encodeUtf8 } from './encoding.ts';

const VERSION = encodeUtf8('HPKE-v1');
const KEM_SUITE = concatBytes(encodeUtf8('KEM'), Uint8Array.of(0x00, 0x20));
const HPKE_SUITE = concatBytes(encodeUtf8('HPKE'), Uint8Array.of(0x00, 0x20, 0x00, 0x01, 0x00, 0x02));
const EMPTY = new Uint8Array(0);
const MODE_BASE = Uint8Array.of(0x00);
const LENGTH_32 = Uint8Array.of(0, 32);
const LAST_BLOCK = Uint8Array.of(0x01);

/** What RFC 9180 §4 puts before every labeled input: "HPKE-v1" || suite_id || label. Built once, used for each copy. */
const prefix = (suite: Uint8Array, label: string) => concatBytes(VERSION, suite, encodeUtf8(label));
const EAE_PRK = prefix(KEM_SUITE, 'eae_prk');
const SHARED_SECRET = prefix(KEM_SUITE, 'shared_secret');
const PSK_ID_HASH = prefix(HPKE_SUITE, 'psk_id_hash');
const INFO_HASH = prefix(HPKE_SUITE, 'info_hash');
const SECRET = prefix(HPKE_SUITE, 'secret');
const KEY = prefix(HPKE_SUITE, 'key');
const BASE_NONCE = prefix(HPKE_SUITE, 'base_nonce');
const EXPORTER_SECRET = prefix(HPKE_SUITE, 'exp');
const EXPORT = prefix(HPKE_SUITE, 'sec');

/** What both sides share after set-up (RFC 9180 §5.1): 32 bytes each, the key schedule context 65. */
export interface HpkeContext {
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

/** The hash of Base mode's empty psk_id: a constant. */
const EMPTY_PSK_ID_HASH = labeledExtract(EMPTY, PSK_ID_HASH, EMPTY);

/**
 * key_schedule_context of RFC 9180 §5.1 in Base mode: mode || psk_id_hash || info_hash, 65 bytes.
 * It depends on `info` alone, so a caller may keep it for the next copy on the same route.
 */
export function keyScheduleContext(info: Uint8Array): Uint8Array {
  return concatBytes(MODE_BASE, EMPTY_PSK_ID_HASH, labeledExtract(EMPTY, INFO_HASH, info));
}

/** KeySchedule in Base mode, RFC 9180 §5.1. */
function keySchedule(sharedSecret: Uint8Array, scheduleContext: Uint8Array): HpkeContext {
  const secret = labeledExtract(sharedSecret, SECRET, EMPTY);
  const exporterSecret = labeledExpand(secret, EXPORTER_SECRET, 32, scheduleContext);
  return { sharedSecret, keyScheduleContext: scheduleContext, secret, exporterSecret };
}

/**
 * SetupBaseS: the sender's context. The ephemeral key must be fresh for every call (RFC 9180 §9.2.3).
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
  return { enc, context: keySchedule(sharedSecret, scheduleContext) };
}

/**
 * SetupBaseR: the recipient's context.
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
  return keySchedule(sharedSecret, scheduleContext);
}

/** Context.Export of RFC 9180 §5.3, at most 32 bytes. */
export function exportSecret(context: HpkeContext, exporterContext: Uint8Array, length: number): Uint8Array {
  return labeledExpand(context.exporterSecret, EXPORT, length, exporterContext);
}

/**
 * The key and base nonce of the AEAD that the key schedule also yields. Our envelopes do not use them, because the
 * specification's nonce is chosen by the sender; RFC 9180's published encryptions do.
 */
export function aeadParameters(context: HpkeContext): { key: Uint8Array; baseNonce: Uint8Array } {
  return {
    key: labeledExpand(context.secret, KEY, 32, context.keyScheduleContext),
    baseNonce: labeledExpand(context.secret, BASE_NONCE, 12, context.keyScheduleContext),
  };
}
