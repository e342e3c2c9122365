import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type Bytes, concat, fromBase64url, sha256, textBytes, toBase64url, u32 } from './bytes.ts';
import { addressBytes } from './forms.ts';
import { publicHalves2, recipientKey1, recipientKey2, senderKey1, senderKey2 } from './hpke.ts';
import { isX25519Key, x25519Public } from './keys.ts';
import { isBucket, pad, unpad } from './padding.ts';
import { must } from './refusal.ts';

/** A copy of a payload, sealed for one key and addressed (section 6). */

export interface Header {
  suite: 1 | 2;
  asRequest: boolean;
  automated: boolean;
  /** The number of the sender's own device list; 0 if unknown. */
  senderListSequence: number;
  /** The number of the recipient's device list in the sender's view; 0 if unknown. */
  recipientListSequence: number;
}

/** The sealed fields of an envelope. */
export interface SealedFields {
  ciphertext: string;
  ephemeralPublicKey: string;
  nonce: string;
  asRequest?: boolean;
}

/** An envelope as sent. */
export interface Envelope extends SealedFields {
  toAddress: string;
  recipientDeviceKey?: string;
}

/** Recipient keys of a copy: an X25519 key, and an ML-KEM key for suite 0x02. */
export interface RecipientKey {
  key: Uint8Array;
  pqKey: Uint8Array | null;
}

/** The private half of a seal key: of X25519 alone, or the seed of both. */
export interface SealSecret {
  suite: 1 | 2;
  secret: Uint8Array;
  key: Bytes;
  pqKey: Bytes | null;
}

const HEADER_BYTES = 12;
const CT_M_BYTES = 1088;
const TAG_BYTES = 16;

/** A new private half; by default of suite 0x02. */
export async function newSealSecret(
  suite: 1 | 2 = 2,
  secret: Uint8Array = randomBytes(32),
): Promise<SealSecret> {
  if (suite === 1) return { suite, secret, key: x25519Public(secret), pqKey: null };
  const { pkM, pkX } = await publicHalves2(secret);
  return { suite, secret, key: pkX, pqKey: pkM };
}

export const sealInfo = (from: string, to: string): Bytes =>
  concat(textBytes('waxwing/seal/v1'), addressBytes(from), addressBytes(to));

export const headerBytes = (header: Header): Bytes =>
  concat(
    Uint8Array.of(1, header.suite, (header.asRequest ? 1 : 0) | (header.automated ? 2 : 0), 0),
    u32(header.senderListSequence),
    u32(header.recipientListSequence),
  );

/** The header at the beginning of a ciphertext; an unknown version, suite or flag is refused. */
export function readHeader(ciphertext: Uint8Array): Header {
  must(ciphertext.length >= HEADER_BYTES, 'cannot_open', 'too short');
  const [version, suite, flags = 0xff, reserved] = ciphertext;
  must(version === 1 && (suite === 1 || suite === 2), 'cannot_open', 'unknown version or suite');
  must(flags <= 3 && reserved === 0, 'cannot_open', 'unknown flag');
  const view = new DataView(ciphertext.buffer, ciphertext.byteOffset);
  return {
    suite,
    asRequest: (flags & 1) !== 0,
    automated: (flags & 2) !== 0,
    senderListSequence: view.getUint32(4),
    recipientListSequence: view.getUint32(8),
  };
}

/** Random values of a copy, set only in known-answer tests. */
export interface SealRandom {
  /** The ephemeral X25519 key; in suite 0x02 ML-KEM's randomness before it. */
  ephemeral?: Uint8Array;
  nonce?: Uint8Array;
}

/** Seals `payload` for one key. Every copy has a fresh ephemeral key and a fresh nonce. */
export async function seal(
  route: { from: string; to: string },
  recipient: RecipientKey,
  header: Omit<Header, 'suite'>,
  payload: Uint8Array,
  random: SealRandom = {},
): Promise<SealedFields> {
  const info = sealInfo(route.from, route.to);
  const nonce = random.nonce ?? randomBytes(12);
  const { enc, key } =
    recipient.pqKey === null
      ? senderKey1(recipient.key, info, random.ephemeral ?? randomBytes(32))
      : await senderKey2(recipient.pqKey, recipient.key, info, random.ephemeral);
  const head = headerBytes({ ...header, suite: recipient.pqKey === null ? 1 : 2 });
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head);
  const sealed = concat(cipher.update(pad(payload)), cipher.final(), cipher.getAuthTag());
  const ephemeral = enc.subarray(-32);
  return {
    ciphertext: toBase64url(concat(head, enc.subarray(0, -32), sealed)),
    ephemeralPublicKey: toBase64url(ephemeral),
    nonce: toBase64url(nonce),
    ...(header.asRequest ? { asRequest: true } : {}),
  };
}

/** The parts of a copy, after all checks that need no key. */
export function readSealed(sealed: SealedFields) {
  const ciphertext = fromBase64url(sealed.ciphertext);
  const nonce = fromBase64url(sealed.nonce);
  const ephemeral = fromBase64url(sealed.ephemeralPublicKey);
  const header = readHeader(ciphertext);
  must(nonce.length === 12, 'cannot_open', 'the nonce is not 12 bytes');
  must(isX25519Key(ephemeral), 'cannot_open', 'no X25519 public key');
  must(
    (sealed.asRequest ?? false) === header.asRequest,
    'cannot_open',
    'asRequest is not that of the header',
  );
  const begin = HEADER_BYTES + (header.suite === 2 ? CT_M_BYTES : 0);
  must(isBucket(ciphertext.length - begin - TAG_BYTES), 'cannot_open', 'not the length of a bucket');
  const ctM = ciphertext.subarray(HEADER_BYTES, begin);
  return {
    header,
    head: ciphertext.subarray(0, HEADER_BYTES),
    ctM,
    ephemeral,
    nonce,
    body: ciphertext.subarray(begin),
  };
}

/** The private X25519 half: of a seed, the output of SHAKE256 after d and z. */
function x25519Secret(secret: SealSecret): Uint8Array {
  if (secret.suite === 1) return secret.secret;
  const expanded = createHash('shake256', { outputLength: 96 }).update(secret.secret).digest();
  return expanded.subarray(64);
}

/** Opens a copy with one private half. Every failure has the error `cannot_open`. */
export async function open(
  route: { from: string; to: string },
  secret: SealSecret,
  sealed: SealedFields,
): Promise<{ header: Header; payload: Uint8Array }> {
  try {
    const { header, head, ctM, ephemeral, nonce, body } = readSealed(sealed);
    const info = sealInfo(route.from, route.to);
    // A device with a seed opens both suites: pk_X is an ordinary X25519 key.
    must(header.suite === 1 || secret.suite === 2, 'cannot_open', 'no key of that suite');
    const key =
      header.suite === 1
        ? recipientKey1(x25519Secret(secret), info, ephemeral)
        : await recipientKey2(secret.secret, info, concat(ctM, ephemeral));
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(head);
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    const padded = concat(decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final());
    return { header, payload: unpad(padded) };
  } catch {
    must(false, 'cannot_open');
  }
}

/** The id that the relay gives an envelope, which the sender computes too (section 8). */
export function envelopeId(from: string, envelope: Envelope): string {
  const { recipientDeviceKey, asRequest } = envelope;
  return toBase64url(
    sha256(
      concat(
        textBytes('waxwing/envelope/v1'),
        addressBytes(from),
        addressBytes(envelope.toAddress),
        Uint8Array.of((recipientDeviceKey === undefined ? 0 : 1) | (asRequest === true ? 2 : 0)),
        recipientDeviceKey === undefined ? new Uint8Array(32) : fromBase64url(recipientDeviceKey, 32),
        fromBase64url(envelope.ephemeralPublicKey, 32),
        fromBase64url(envelope.nonce, 12),
        fromBase64url(envelope.ciphertext),
      ),
    ),
  );
}
