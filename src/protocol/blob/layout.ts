/**
 * The length of a file's blob, and the positions of its chunks and parts (docs/protocol.md, 'Attachments').
 *
 *   plain = file || zeros up to L          L = Padmé(max(size, 4096))
 *   blob  = chunks of 65,536 bytes of plain, the last 1 to 65,536, each followed by a tag of 16 bytes
 *   parts = 8,388,608 bytes of the blob each, the last shorter
 *
 * All lengths and offsets are bytes.
 */
import { padme } from '../padding.ts';

export const CHUNK_BYTES = 65_536;
export const CHUNK_TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + CHUNK_TAG_BYTES;
export const PART_BYTES = 8_388_608;
/** The longest blob that any relay accepts. */
export const MAX_BLOB_BYTES = 2 ** 31;
/** The longest file for such a blob: 63 × 2^25, the last step of Padmé with room for the tags. */
export const MAX_FILE_BYTES = 2_113_929_216;
/** Time for which a relay keeps a complete blob, in milliseconds. */
export const BLOB_LIFE = 45 * 24 * 3_600_000;
/** Shorter files are padded to this length. */
const LEAST_PADDED_BYTES = 4096;

export interface BlobLayout {
  /** Length of the file. */
  readonly size: number;
  /** Length of the file and its padding. */
  readonly paddedSize: number;
  /** Number of chunks, at least one. */
  readonly chunks: number;
  /** Length of the blob. */
  readonly length: number;
}

/** A range of bytes. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/**
 * The layout of a file's blob.
 * @param size of the file, 0 to {@link MAX_FILE_BYTES}
 * @throws RangeError for any other number
 */
export function blobLayout(size: number): BlobLayout {
  if (!Number.isInteger(size) || size < 0 || size > MAX_FILE_BYTES) {
    throw new RangeError(`a file has 0 to ${MAX_FILE_BYTES} bytes`);
  }
  const paddedSize = padme(Math.max(size, LEAST_PADDED_BYTES));
  const chunks = Math.ceil(paddedSize / CHUNK_BYTES);
  return { size, paddedSize, chunks, length: paddedSize + CHUNK_TAG_BYTES * chunks };
}

/** Size of the largest file whose blob has at most this length, in bytes; 0 if the blob of the smallest file is longer. */
export function largestFile(length: number): number {
  let [most, tooLarge] = [0, MAX_FILE_BYTES + 1];
  while (tooLarge - most > 1) {
    const size = Math.floor((most + tooLarge) / 2);
    if (blobLayout(size).length <= length) most = size;
    else tooLarge = size;
  }
  return most;
}

/** Reports whether the blob of some file has this length. */
export function isBlobLength(length: number): boolean {
  if (!Number.isInteger(length) || length < LEAST_PADDED_BYTES || length > MAX_BLOB_BYTES) return false;
  const chunks = Math.ceil(length / (CHUNK_BYTES + CHUNK_TAG_BYTES));
  const paddedSize = length - CHUNK_TAG_BYTES * chunks;
  if (paddedSize < LEAST_PADDED_BYTES || paddedSize > MAX_FILE_BYTES) return false;
  return blobLayout(paddedSize).length === length;
}

/** The position of chunk `index` in the file and in the blob. Chunks of padding contain no byte of the file. */
export function chunkAt(layout: BlobLayout, index: number): { file: Range; blob: Range; isLast: boolean } {
  if (!Number.isInteger(index) || index < 0 || index >= layout.chunks) {
    throw new RangeError(`this blob has chunks 0 to ${layout.chunks - 1}`);
  }
  const offset = index * CHUNK_BYTES;
  const padded = Math.min(CHUNK_BYTES, layout.paddedSize - offset);
  return {
    file: { offset: Math.min(offset, layout.size), length: clamp(layout.size - offset, padded) },
    blob: { offset: index * (CHUNK_BYTES + CHUNK_TAG_BYTES), length: padded + CHUNK_TAG_BYTES },
    isLast: index === layout.chunks - 1,
  };
}

/** The parts in which a blob is uploaded. */
export function partsOf(length: number): Range[] {
  return Array.from({ length: Math.ceil(length / PART_BYTES) }, (_, index) => ({
    offset: index * PART_BYTES,
    length: Math.min(PART_BYTES, length - index * PART_BYTES),
  }));
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
