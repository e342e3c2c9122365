/**
 * Bytes as the protocol writes them: base64url without padding, integers big-endian, addresses as 20 bytes.
 */
import { createHash } from 'node:crypto';

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function concat(...parts: Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** @throws Error for padding, foreign characters or leftover bits, instead of repairing them */
export function fromBase64url(text: string): Bytes {
  const bytes = new Uint8Array(Buffer.from(text, 'base64url'));
  if (base64url(bytes) !== text) throw new Error('not canonical base64url');
  return bytes;
}

export function sha256(bytes: Uint8Array): Bytes {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

export function u32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** A moment of JSON as u64 milliseconds, the form in which it is signed. */
export function u64Milliseconds(time: string): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Date.parse(time)));
  return bytes;
}

export function addressBytes(address: string): Bytes {
  if (!/^0x[0-9a-f]{40}$/.test(address)) throw new Error('not an address as the wire writes it');
  return new Uint8Array(Buffer.from(address.slice(2), 'hex'));
}

/** Equal bytes; no secret is compared with it. */
export function same(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
