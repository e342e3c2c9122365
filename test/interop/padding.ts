import { type Bytes, concat } from './bytes.ts';
import { must } from './refusal.ts';

/** Maximum length of a payload, in bytes. */
export const PAYLOAD_MOST = 65_535;
const BUCKETS = [256, 512, 1024, 2048, 4096];

/** Padmé: `length` rounded up so that it reveals little (section 6). */
export function padme(length: number): number {
  const e = Math.floor(Math.log2(length));
  const s = Math.floor(Math.log2(e)) + 1;
  const step = 2 ** (e - s);
  return Math.ceil(length / step) * step;
}

/** The length of the padded payload for one of `length` bytes. */
export function bucketFor(length: number): number {
  const marked = length + 1;
  return BUCKETS.find((bucket) => bucket >= marked) ?? padme(marked);
}

/** Reports whether a payload can be padded to this length. */
export const isBucket = (length: number): boolean =>
  length >= 256 && length <= PAYLOAD_MOST + 1 && bucketFor(length - 1) === length;

/** The payload, 0x80 and zeros. */
export function pad(payload: Uint8Array): Bytes {
  must(payload.length <= PAYLOAD_MOST, 'too_large', 'the payload is too long');
  const zeros = new Uint8Array(bucketFor(payload.length) - payload.length - 1);
  return concat(payload, Uint8Array.of(0x80), zeros);
}

/** The payload of a padded one. Refused unless the padding is canonical for that payload. */
export function unpad(padded: Uint8Array): Uint8Array {
  const marker = padded.findLastIndex((byte) => byte !== 0);
  must(marker >= 0 && padded[marker] === 0x80, 'cannot_open', 'no marker');
  must(bucketFor(marker) === padded.length, 'cannot_open', 'not the bucket of the payload');
  return padded.subarray(0, marker);
}
