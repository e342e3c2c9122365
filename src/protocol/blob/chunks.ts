/**
 * The chunks of a blob, each sealed separately, so that no program needs a whole file in memory (docs/protocol.md,
 * 'Attachments').
 *
 *   nonce = 7 zeros || index u32 || 0x01 in the last chunk, else 0x00      additional data = "waxwing/blob/v1"
 *
 * A chunk at another place, of another blob, or a last one that is not the last does not open.
 */
import { decryptAesGcm, encryptAesGcm } from '../crypto.ts';
import { concatBytes, encodeU32 } from '../encoding.ts';
import { FormatError } from '../faults.ts';
import { BLOB_LABEL, type BlobKeys } from './keys.ts';
import { type BlobLayout, CHUNK_TAG_BYTES, chunkAt } from './layout.ts';

const ZEROS = new Uint8Array(7);

/** The fault of an invalid blob. */
export type BlobFault =
  /** Wrong length for a file of that size. */
  | { wrong: 'length' }
  /** The chunk was changed, moved, or belongs to another file. */
  | { wrong: 'chunk'; index: number }
  /** The padding contains other bytes than zeros. */
  | { wrong: 'padding' }
  /** A different blob than the announced one. */
  | { wrong: 'digest' };

/** The file differs from the sent one. */
export class BlobError extends FormatError<BlobFault> {
  override readonly name = 'BlobError';
}

/** The nonce of a chunk: 12 bytes. */
export function chunkNonce(index: number, isLast: boolean): Uint8Array {
  return concatBytes(ZEROS, encodeU32(index), Uint8Array.of(isLast ? 0x01 : 0x00));
}

/**
 * Chunk `index` of the blob.
 * @param filePart the bytes of the file that {@link chunkAt} names; none in chunks of nothing but padding
 * @param into room for the chunk; by default new
 * @throws RangeError if they are more or fewer
 */
export function sealChunk(
  { key }: BlobKeys,
  layout: BlobLayout,
  index: number,
  filePart: Uint8Array,
  into?: Uint8Array,
): Uint8Array {
  const { file, blob, isLast } = chunkAt(layout, index);
  if (filePart.length !== file.length)
    throw new RangeError(`chunk ${index} has ${file.length} bytes of the file`);
  const padded = blob.length - CHUNK_TAG_BYTES;
  const plain = filePart.length === padded ? filePart : new Uint8Array(padded);
  if (plain !== filePart) plain.set(filePart);
  return encryptAesGcm(key, chunkNonce(index, isLast), BLOB_LABEL, plain, into);
}

/**
 * The bytes of the file in chunk `index` of the blob.
 * @param sealed the chunk as {@link chunkAt} names it
 * @throws BlobError
 */
export function openChunk(
  { key }: BlobKeys,
  layout: BlobLayout,
  index: number,
  sealed: Uint8Array,
): Uint8Array {
  const { file, blob, isLast } = chunkAt(layout, index);
  if (sealed.length !== blob.length) throw new BlobError({ wrong: 'length' });
  let plain: Uint8Array;
  try {
    plain = decryptAesGcm(key, chunkNonce(index, isLast), BLOB_LABEL, sealed);
  } catch {
    throw new BlobError({ wrong: 'chunk', index });
  }
  if (plain.subarray(file.length).some((byte) => byte !== 0)) throw new BlobError({ wrong: 'padding' });
  return plain.subarray(0, file.length);
}
