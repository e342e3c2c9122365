/**
 * Padding: a payload is followed by 0x80 and zeros up to the next bucket, so that a ciphertext reveals little of a
 * length. Buckets are 256, 512, 1024, 2048 and 4096 bytes, then Padmé (Nikitin et al., PETS 2019), at most 65,536.
 */

const SMALL_BUCKETS = [256, 512, 1024, 2048, 4096];
const LARGEST_BUCKET = 65_536;

/** The largest payload that fits, in bytes: one byte of every bucket is the marker. */
export const MAX_PAYLOAD_BYTES = LARGEST_BUCKET - 1;

/**
 * A length, rounded up by Padmé: at most 12% longer, and with few distinct values.
 * @param length 2 to 2^40 bytes
 */
export function padme(length: number): number {
  const exponent = Math.floor(Math.log2(length));
  const unit = 2 ** (exponent - (Math.floor(Math.log2(exponent)) + 1));
  return Math.ceil(length / unit) * unit;
}

/** The bucket for a length with its marker, in bytes. */
function bucketFor(length: number): number {
  return SMALL_BUCKETS.find((bucket) => length <= bucket) ?? padme(length);
}

/** Reports whether a padded payload may have this length. */
export function isBucket(length: number): boolean {
  return length >= 1 && length <= LARGEST_BUCKET && bucketFor(length) === length;
}

/**
 * The length of a payload after padding, in bytes.
 * @throws RangeError above {@link MAX_PAYLOAD_BYTES}
 */
export function paddedLength(payload: Uint8Array): number {
  if (payload.length > MAX_PAYLOAD_BYTES)
    throw new RangeError(`a payload has at most ${MAX_PAYLOAD_BYTES} bytes`);
  return bucketFor(payload.length + 1);
}

/**
 * The payload, padded to its bucket.
 * @param into zeros of {@link paddedLength}, which become the result; by default new
 * @throws RangeError above {@link MAX_PAYLOAD_BYTES}
 */
export function pad(payload: Uint8Array, into = new Uint8Array(paddedLength(payload))): Uint8Array {
  into.set(payload);
  into[payload.length] = 0x80;
  return into;
}

/** The payload in a padded one; null unless {@link pad} would return exactly this. */
export function unpad(padded: Uint8Array): Uint8Array | null {
  let end = padded.length - 1;
  while (end >= 0 && padded[end] === 0) end--;
  if (end < 0 || padded[end] !== 0x80 || bucketFor(end + 1) !== padded.length) return null;
  return padded.slice(0, end);
}
