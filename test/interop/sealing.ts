/**
 * Sealing and opening, protocol §6: RFC 9180 HPKE exports the key, AES-256-GCM uses the envelope's own nonce. In suite 0x01
 * with X25519, in suite 0x02 with X-Wing.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, type webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';
import { addressBytes, type Bytes, base64url, concat, fromBase64url, u32, utf8 } from './bytes.ts';

const [kdf, aead] = [new HkdfSha256(), new Aes256Gcm()];
const suites = {
  1: new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf, aead }),
  2: new CipherSuite({ kem: new XWing(), kdf, aead }),
} as const;
type Suite = keyof typeof suites;

const HEADER_LENGTH = 12;
const TAG_LENGTH = 16;
/** Of an ML-KEM-768 public key, and of what it encapsulates. */
const ML_KEM_KEY = 1184;
const ML_KEM_CIPHERTEXT = 1088;
const KEY_LABEL = utf8('waxwing/seal/v1/key');
const FIELD_PRIME = 2n ** 255n - 19n;
/** The canonical u-coordinates of Curve25519's points of low order. */
const LOW_ORDER = new Set([
  0n,
  1n,
  FIELD_PRIME - 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
]);

export interface Envelope {
  toAddress: string;
  recipientDeviceKey?: string;
  ciphertext: string;
  ephemeralPublicKey: string;
  nonce: string;
  asRequest?: boolean;
}

/** What the header says of an envelope: flags, and the device lists that the sender went by. */
export interface Header {
  asRequest: boolean;
  automated: boolean;
  senderListSequence: number;
  recipientListSequence: number;
}

export interface SealKeyPair {
  /** base64url of the X25519 public key. */
  publicKey: string;
  /** base64url of the ML-KEM public key. */
  pqKey: string;
  privateKeys: PrivateKeys;
}

export type PrivateKeys = Record<Suite, webcrypto.CryptoKey>;

/** A fresh pair to which others seal, in either suite. */
export async function generateSealKeyPair(): Promise<SealKeyPair> {
  const { kem } = suites[2];
  const pair = await kem.generateKeyPair();
  const publicKey = new Uint8Array(await kem.serializePublicKey(pair.publicKey));
  const seed = new Uint8Array(await kem.serializePrivateKey(pair.privateKey));
  return {
    publicKey: base64url(publicKey.subarray(ML_KEM_KEY)),
    pqKey: base64url(publicKey.subarray(0, ML_KEM_KEY)),
    privateKeys: await privateKeysOf(seed),
  };
}

/** Both halves come from one seed of 32 bytes. */
export async function privateKeysOf(seed: Bytes): Promise<PrivateKeys> {
  const scalar = createHash('shake256', { outputLength: 96 }).update(seed).digest().subarray(64);
  return {
    1: await suites[1].kem.deserializePrivateKey(buffer(scalar)),
    2: await suites[2].kem.deserializePrivateKey(buffer(seed)),
  };
}

/** HPKE's library takes a buffer of its own. */
function buffer(bytes: Bytes): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

/**
 * Seals a payload for one device: in suite 0x02 if its ML-KEM key is given.
 * @param from the address under which the relay will route it, lower case
 */
export async function seal(
  payload: Bytes,
  recipient: { from: string; toAddress: string; recipientDeviceKey: string; pqKey?: Bytes },
  options: Partial<Header> = {},
): Promise<Envelope> {
  const { from, toAddress, recipientDeviceKey, pqKey } = recipient;
  const suite: Suite = pqKey ? 2 : 1;
  const { kem } = suites[suite];
  const publicKey = concat(pqKey ?? new Uint8Array(), fromBase64url(recipientDeviceKey));
  const recipientPublicKey = await kem.deserializePublicKey(buffer(publicKey));
  const info = infoOf(from, toAddress);
  const context = await suites[suite].createSenderContext({ recipientPublicKey, info });
  const key = new Uint8Array(await context.export(KEY_LABEL, 32));
  const enc = new Uint8Array(context.enc);
  const header = encodeHeader(suite, options);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header);
  const sealed = concat(cipher.update(pad(payload)), cipher.final(), cipher.getAuthTag());
  return {
    toAddress,
    recipientDeviceKey,
    ciphertext: base64url(concat(header, enc.subarray(0, -32), sealed)),
    ephemeralPublicKey: base64url(enc.subarray(-32)),
    nonce: base64url(nonce),
    ...(options.asRequest ? { asRequest: true } : {}),
  };
}

/**
 * Opens an envelope with the private seal keys of one device.
 * @throws Error always the same, whatever is wrong with the envelope
 */
export async function open(
  envelope: Envelope & { from: string },
  privateKeys: PrivateKeys,
): Promise<{ header: Header; payload: Bytes }> {
  try {
    return await openOrThrow(envelope, privateKeys);
  } catch {
    throw new Error('this envelope cannot be opened');
  }
}

async function openOrThrow(
  envelope: Envelope & { from: string },
  privateKeys: PrivateKeys,
): Promise<{ header: Header; payload: Bytes }> {
  const ciphertext = fromBase64url(envelope.ciphertext);
  const headerBytes = ciphertext.subarray(0, HEADER_LENGTH);
  const { suite, ...header } = decodeHeader(headerBytes);
  if (header.asRequest !== (envelope.asRequest ?? false)) throw new Error('asRequest is not what was sealed');
  const ephemeral = fromBase64url(envelope.ephemeralPublicKey);
  if (!isUsableKey(ephemeral)) throw new Error('not a canonical X25519 key, or one of low order');
  const sealedAt = HEADER_LENGTH + (suite === 2 ? ML_KEM_CIPHERTEXT : 0);
  const enc = buffer(concat(ciphertext.subarray(HEADER_LENGTH, sealedAt), ephemeral));
  const info = infoOf(envelope.from, envelope.toAddress);
  const context = await suites[suite].createRecipientContext({ recipientKey: privateKeys[suite], enc, info });
  const key = new Uint8Array(await context.export(KEY_LABEL, 32));
  const options = { authTagLength: TAG_LENGTH };
  const decipher = createDecipheriv('aes-256-gcm', key, fromBase64url(envelope.nonce), options);
  decipher.setAAD(headerBytes).setAuthTag(ciphertext.subarray(-TAG_LENGTH));
  const padded = concat(decipher.update(ciphertext.subarray(sealedAt, -TAG_LENGTH)), decipher.final());
  return { header, payload: unpad(padded) };
}

function infoOf(from: string, to: string): Bytes {
  return concat(utf8('waxwing/seal/v1'), addressBytes(from), addressBytes(to));
}

function encodeHeader(suite: Suite, options: Partial<Header>): Bytes {
  const flags = (options.asRequest ? 1 : 0) | (options.automated ? 2 : 0);
  const start = Uint8Array.of(1, suite, flags, 0);
  return concat(start, u32(options.senderListSequence ?? 0), u32(options.recipientListSequence ?? 0));
}

function decodeHeader(bytes: Bytes): Header & { suite: Suite } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH);
  const [version, suite, flags = 0, reserved] = bytes;
  if (version !== 1 || flags > 3 || reserved !== 0) throw new Error('unknown header');
  if (suite !== 1 && suite !== 2) throw new Error('unknown suite');
  return {
    suite,
    asRequest: (flags & 1) !== 0,
    automated: (flags & 2) !== 0,
    senderListSequence: view.getUint32(4),
    recipientListSequence: view.getUint32(8),
  };
}

/** The length that a payload of this many bytes is padded to: a bucket, then Padmé. */
export function paddedLength(payloadLength: number): number {
  const needed = payloadLength + 1;
  const bucket = [256, 512, 1024, 2048, 4096].find((size) => needed <= size) ?? padme(needed);
  if (bucket > 65_536) throw new Error('the payload is too long');
  return bucket;
}

/** Padmé, "Reducing Metadata Leakage from Encrypted Files", algorithm 1. */
function padme(length: number): number {
  const exponent = Math.floor(Math.log2(length));
  const significantBits = Math.floor(Math.log2(exponent)) + 1;
  const step = 2 ** (exponent - significantBits);
  return Math.ceil(length / step) * step;
}

function pad(payload: Bytes): Bytes {
  const padded = new Uint8Array(paddedLength(payload.length));
  padded.set(payload);
  padded[payload.length] = 0x80;
  return padded;
}

function unpad(padded: Bytes): Bytes {
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 0x80 || paddedLength(end) !== padded.length) throw new Error('wrong padding');
  return padded.slice(0, end);
}

/** Whether an X25519 key is canonical and not of low order. */
export function isUsableKey(key: Bytes): boolean {
  return key.length === 32 && littleEndian(key) < FIELD_PRIME && !LOW_ORDER.has(littleEndian(key));
}

function littleEndian(bytes: Bytes): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
