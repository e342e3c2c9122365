/**
 * HPKE (RFC 9180), Base mode, for the one suite that we use, and of it the one part that we use: secrets for export.
 * DHKEM(X25519, HKDF-SHA256) 0x0020, HKDF-SHA256 0x0001, AES-256-GCM 0x0002.
 */
import type { CryptoBackend, PrivateKey } from './crypto/backend.ts';
import { concatBytes, encodeUtf8 } from './encoding.ts';

const VERSION = encodeUtf8('HPKE-v1');
const KEM_SUITE = concatBytes(encodeUtf8('KEM'), Uint8Array.of(0x00, 0x20));
const HPKE_SUITE = concatBytes(encodeUtf8('HPKE'), Uint8Array.of(0x00, 0x20, 0x00, 0x01, 0x00, 0x02));
const EMPTY = new Uint8Array(0);
const MODE_BASE = Uint8Array.of(0x00);

/** What both sides share after set-up: the key schedule's outcome (RFC 9180 §5.1), 32 bytes each. */
export interface HpkeContext {
  readonly sharedSecret: Uint8Array;
  readonly keyScheduleContext: Uint8Array;
  readonly secret: Uint8Array;
  readonly exporterSecret: Uint8Array;
}

/** LabeledExtract of RFC 9180 §4: a pseudo-random key of 32 bytes. */
function labeledExtract(
  backend: CryptoBackend,
  suite: Uint8Array,
  salt: Uint8Array,
  label: string,
  input: Uint8Array,
): Uint8Array {
  return backend.hmacSha256(salt, concatBytes(VERSION, suite, encodeUtf8(label), input));
}

/** LabeledExpand of RFC 9180 §4 for at most 32 bytes: one block of HKDF-Expand. */
function labeledExpand(
  backend: CryptoBackend,
  suite: Uint8Array,
  key: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array {
  if (length > 32) throw new RangeError('at most 32 bytes');
  const labeledInfo = concatBytes(Uint8Array.of(0, length), VERSION, suite, encodeUtf8(label), info);
  return backend.hmacSha256(key, concatBytes(labeledInfo, Uint8Array.of(1))).slice(0, length);
}

/** ExtractAndExpand of DHKEM, RFC 9180 §4.1. */
function kemSecret(backend: CryptoBackend, dh: Uint8Array, kemContext: Uint8Array): Uint8Array {
  const key = labeledExtract(backend, KEM_SUITE, EMPTY, 'eae_prk', dh);
  return labeledExpand(backend, KEM_SUITE, key, 'shared_secret', kemContext, 32);
}

const emptyPskHash = new WeakMap<CryptoBackend, Uint8Array>();

/** The hash of Base mode's empty psk_id: a constant, so computed once. */
function pskIdHash(backend: CryptoBackend): Uint8Array {
  let value = emptyPskHash.get(backend);
  if (!value) {
    value = labeledExtract(backend, HPKE_SUITE, EMPTY, 'psk_id_hash', EMPTY);
    emptyPskHash.set(backend, value);
  }
  return value;
}

/** KeySchedule in Base mode, RFC 9180 §5.1. */
function keySchedule(backend: CryptoBackend, sharedSecret: Uint8Array, info: Uint8Array): HpkeContext {
  const infoHash = labeledExtract(backend, HPKE_SUITE, EMPTY, 'info_hash', info);
  const keyScheduleContext = concatBytes(MODE_BASE, pskIdHash(backend), infoHash);
  const secret = labeledExtract(backend, HPKE_SUITE, sharedSecret, 'secret', EMPTY);
  const exporterSecret = labeledExpand(backend, HPKE_SUITE, secret, 'exp', keyScheduleContext, 32);
  return { sharedSecret, keyScheduleContext, secret, exporterSecret };
}

/**
 * SetupBaseS: the sender's context. The ephemeral key must be fresh for every call (RFC 9180 §9.2.3).
 * @param recipientKey X25519 public key, 32 bytes
 * @returns `enc`, the ephemeral public key of 32 bytes, and the context
 * @throws for a recipient key of small order
 */
export function setupSender(
  backend: CryptoBackend,
  recipientKey: Uint8Array,
  info: Uint8Array,
  ephemeral: PrivateKey,
): { enc: Uint8Array; context: HpkeContext } {
  const enc = ephemeral.publicKey;
  const dh = backend.x25519(ephemeral, recipientKey);
  const sharedSecret = kemSecret(backend, dh, concatBytes(enc, recipientKey));
  return { enc, context: keySchedule(backend, sharedSecret, info) };
}

/**
 * SetupBaseR: the recipient's context.
 * @param enc the sender's ephemeral public key, 32 bytes
 * @throws for an `enc` of small order
 */
export function setupRecipient(
  backend: CryptoBackend,
  enc: Uint8Array,
  recipient: PrivateKey,
  info: Uint8Array,
): HpkeContext {
  const dh = backend.x25519(recipient, enc);
  return keySchedule(backend, kemSecret(backend, dh, concatBytes(enc, recipient.publicKey)), info);
}

/** Context.Export of RFC 9180 §5.3, at most 32 bytes. */
export function exportSecret(
  backend: CryptoBackend,
  context: HpkeContext,
  exporterContext: Uint8Array,
  length: number,
): Uint8Array {
  return labeledExpand(backend, HPKE_SUITE, context.exporterSecret, 'sec', exporterContext, length);
}

/**
 * The key and base nonce of the AEAD that the key schedule also yields. Our envelopes do not use them, because the
 * specification's nonce is chosen by the sender; RFC 9180's published encryptions do.
 */
export function aeadParameters(
  backend: CryptoBackend,
  context: HpkeContext,
): { key: Uint8Array; baseNonce: Uint8Array } {
  return {
    key: labeledExpand(backend, HPKE_SUITE, context.secret, 'key', context.keyScheduleContext, 32),
    baseNonce: labeledExpand(
      backend,
      HPKE_SUITE,
      context.secret,
      'base_nonce',
      context.keyScheduleContext,
      12,
    ),
  };
}
