/**
 * Sealing and opening, protocol §3: RFC 9180 HPKE exports the key, AES-256-GCM uses the envelope's own nonce.
 */
import { createCipheriv, createDecipheriv, randomBytes, type webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { addressBytes, type Bytes, base64url, concat, fromBase64url, u32, utf8 } from './bytes.ts';

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

const HEADER_LENGTH = 12;
const TAG_LENGTH = 16;
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
  privateKey: webcrypto.CryptoKey;
}

/** A fresh X25519 pair to which others seal. */
export async function generateSealKeyPair(): Promise<SealKeyPair> {
  const pair = await suite.kem.generateKeyPair();
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey));
  return { publicKey: base64url(publicKey), privateKey: pair.privateKey };
}

/**
 * Seals a payload for one device.
 * @param from the address under which the relay will route it, lower case
 */
export async function seal(
  payload: Bytes,
  recipient: { from: string; toAddress: string; recipientDeviceKey: string },
  options: Partial<Header> = {},
): Promise<Envelope> {
  const { from, toAddress, recipientDeviceKey } = recipient;
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(recipientDeviceKey));
  const context = await suite.createSenderContext({ recipientPublicKey, info: infoOf(from, toAddress) });
  const key = new Uint8Array(await context.export(KEY_LABEL, 32));
  const header = encodeHeader(options);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header);
  const sealed = concat(cipher.update(pad(payload)), cipher.final(), cipher.getAuthTag());
  return {
    toAddress,
    recipientDeviceKey,
    ciphertext: base64url(concat(header, sealed)),
    ephemeralPublicKey: base64url(new Uint8Array(context.enc)),
    nonce: base64url(nonce),
    ...(options.asRequest ? { asRequest: true } : {}),
  };
}

/**
 * Opens an envelope with the private seal key of one device.
 * @throws Error always the same, whatever is wrong with the envelope
 */
export async function open(
  envelope: Envelope & { from: string },
  privateKey: webcrypto.CryptoKey,
): Promise<{ header: Header; payload: Bytes }> {
  try {
    return await openOrThrow(envelope, privateKey);
  } catch {
    throw new Error('this envelope cannot be opened');
  }
}

async function openOrThrow(
  envelope: Envelope & { from: string },
  privateKey: webcrypto.CryptoKey,
): Promise<{ header: Header; payload: Bytes }> {
  const ciphertext = fromBase64url(envelope.ciphertext);
  const headerBytes = ciphertext.subarray(0, HEADER_LENGTH);
  const header = decodeHeader(headerBytes);
  if (header.asRequest !== (envelope.asRequest ?? false)) throw new Error('asRequest is not what was sealed');
  const enc = fromBase64url(envelope.ephemeralPublicKey);
  if (!isUsableKey(enc)) throw new Error('not a canonical X25519 key, or one of low order');
  const info = infoOf(envelope.from, envelope.toAddress);
  const context = await suite.createRecipientContext({ recipientKey: privateKey, enc, info });
  const key = new Uint8Array(await context.export(KEY_LABEL, 32));
  const options = { authTagLength: TAG_LENGTH };
  const decipher = createDecipheriv('aes-256-gcm', key, fromBase64url(envelope.nonce), options);
  decipher.setAAD(headerBytes).setAuthTag(ciphertext.subarray(-TAG_LENGTH));
  const padded = concat(decipher.update(ciphertext.subarray(HEADER_LENGTH, -TAG_LENGTH)), decipher.final());
  return { header, payload: unpad(padded) };
}

function infoOf(from: string, to: string): Bytes {
  return concat(utf8('waxwing/seal/v1'), addressBytes(from), addressBytes(to));
}

function encodeHeader(options: Partial<Header>): Bytes {
  const flags = (options.asRequest ? 1 : 0) | (options.automated ? 2 : 0);
  const start = Uint8Array.of(1, 1, flags, 0);
  return concat(start, u32(options.senderListSequence ?? 0), u32(options.recipientListSequence ?? 0));
}

function decodeHeader(bytes: Bytes): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH);
  const [version, cipherSuite, flags = 0, reserved] = bytes;
  if (version !== 1 || cipherSuite !== 1 || flags > 3 || reserved !== 0) throw new Error('unknown header');
  return {
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
