import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlobError, openChunk } from '../../../src/protocol/blob/chunks.ts';
import { BlobDigest, contentDigest, readContentDigest } from '../../../src/protocol/blob/digest.ts';
import { AttachedFile, baseNameOf } from '../../../src/protocol/blob/file.ts';
import { imageTypeOf } from '../../../src/protocol/blob/image-type.ts';
import { blobKeys, newFileKey } from '../../../src/protocol/blob/keys.ts';
import {
  type BlobLayout,
  blobLayout,
  CHUNK_BYTES,
  CHUNK_TAG_BYTES,
  chunkAt,
  isBlobLength,
  largestFile,
  MAX_BLOB_BYTES,
  MAX_FILE_BYTES,
  partsOf,
  type Range,
} from '../../../src/protocol/blob/layout.ts';
import { BlobReader, BlobWriter } from '../../../src/protocol/blob/stream.ts';
import { sha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes, decodeBase64Url, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { BlobRequest } from '../../../src/protocol/schemas/blobs.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';
import { type ChunkRecipe, cook, padded, patternFile } from '../../support/waxwing-vectors/blobs.ts';

const vectors = readVectors<{
  keys: { fileKey: string; id: string; key: string };
  blobs: (Omit<BlobLayout, 'chunks'> & {
    chunks: { nonce: string; file: Range; blob: Range; begin: string; tag: string; sha256: string }[];
    digest: string;
  })[];
  lengths: { size: number; length: number }[];
  notLengths: number[];
  parts: { length: number; parts: Range[] }[];
  digest: {
    zeros: number;
    parts: { sha256: string; contentDigest: string }[];
    digest: string;
    notContentDigests: string[];
  };
  refused: {
    why: string;
    size: number;
    sealedUnder: string;
    chunks: ChunkRecipe[];
    lastPaddingByte: number;
    flippedBit: boolean;
    digest: string;
    wrong: string;
  }[];
  files: { why: string; isFile: boolean; file: unknown }[];
  names: { name: string; baseName: string | null }[];
  imageTypes: { begin: string; type: string | null }[];
}>('waxwing/blobs.json');
const fileKey = bytes(vectors.keys.fileKey);

/** Seals a file like a program that reads it in pieces. */
function seal(key: Uint8Array, file: Uint8Array) {
  const writer = new BlobWriter(key, file.length);
  const chunks = Array.from({ length: writer.layout.chunks }, (_, index) => {
    const { offset, length } = chunkAt(writer.layout, index).file;
    return writer.push(file.subarray(offset, offset + length));
  });
  return { chunks, ...writer.finish() };
}

/** A blob comes as one row of bytes, and its reader cuts it. */
function open(key: Uint8Array, size: number, digest: Uint8Array, chunks: readonly Uint8Array[]): Uint8Array {
  const reader = new BlobReader(key, size, digest);
  const blob = concatBytes(...chunks);
  const length = CHUNK_BYTES + CHUNK_TAG_BYTES;
  const cut = Array.from({ length: Math.ceil(blob.length / length) }, (_, index) =>
    blob.subarray(index * length, (index + 1) * length),
  );
  const file = concatBytes(...cut.map((chunk) => reader.push(chunk)));
  reader.finish();
  return file;
}

test('derives the published id and key from a file’s key', () => {
  const { id, key } = blobKeys(fileKey);
  expect({ id, key: hex(key) }).toEqual({ id: vectors.keys.id, key: vectors.keys.key });
});

test.each(vectors.blobs)('converts a file of $size bytes to the published blob and back', (blob) => {
  const file = patternFile(blob.size);
  const { chunks, digest } = seal(fileKey, file);
  expect(chunks.map((chunk) => hex(sha256(chunk)))).toEqual(blob.chunks.map((chunk) => chunk.sha256));
  expect(encodeBase64Url(digest)).toBe(blob.digest);
  expect(concatBytes(...chunks)).toHaveLength(blob.length);
  expect(hex(open(fileKey, blob.size, digest, chunks))).toBe(hex(file));
});

test.each(vectors.refused)('refuses a blob: $why', (bad) => {
  const plain = padded(bad.size);
  plain[plain.length - 1] = bad.lastPaddingByte;
  const chunks = cook(bytes(bad.sealedUnder), plain, bad.chunks);
  const last = chunks.at(-1);
  if (bad.flippedBit && last) last[last.length - 1] = (last.at(-1) ?? 0) ^ 1;
  expect(() => open(fileKey, bad.size, decodeBase64Url(bad.digest), chunks)).toThrow(
    expect.objectContaining({ name: 'BlobError', fault: expect.objectContaining({ wrong: bad.wrong }) }),
  );
});

test('every kind of fault has a case', () => {
  expect(vectors.blobs.map(({ size }) => size)).toEqual([0, 1, 65_536, 65_537]);
  expect(new Set(vectors.refused.map(({ wrong }) => wrong))).toEqual(
    new Set(['length', 'chunk', 'padding', 'digest']),
  );
});

describe('lengths', () => {
  test('are the published ones, and others are refused', () => {
    for (const { size, length } of vectors.lengths) {
      expect(blobLayout(size).length, `${size}`).toBe(length);
      expect(isBlobLength(length), `${length}`).toBe(true);
      expect(BlobRequest.safeParse({ size: length }).success).toBe(true);
    }
    for (const length of vectors.notLengths) {
      expect(isBlobLength(length), `${length}`).toBe(false);
      expect(BlobRequest.safeParse({ size: length }).success).toBe(false);
    }
  });

  test('pads any file to one of a few lengths, at most 13% longer beyond 4 KiB', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_FILE_BYTES }), (size) => {
        const { length, paddedSize } = blobLayout(size);
        expect(isBlobLength(length)).toBe(true);
        expect(length).toBeLessThanOrEqual(MAX_BLOB_BYTES);
        expect(paddedSize).toBeGreaterThanOrEqual(size);
        if (size > 4096) expect(length / size).toBeLessThan(1.13);
      }),
    );
    expect(() => blobLayout(MAX_FILE_BYTES + 1)).toThrow(RangeError);
  });

  test('places chunks without gaps, in the file and in the blob', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), (size) => {
        const layout = blobLayout(size);
        const all = Array.from({ length: layout.chunks }, (_, index) => chunkAt(layout, index));
        const end = all.reduce(
          (at, { file, blob }) => {
            if (file.length > 0) expect(file.offset).toBe(at.file);
            expect(blob.offset).toBe(at.blob);
            return { file: at.file + file.length, blob: at.blob + blob.length };
          },
          { file: 0, blob: 0 },
        );
        expect(end).toEqual({ file: size, blob: layout.length });
        expect(all.map(({ isLast }) => isLast).indexOf(true)).toBe(layout.chunks - 1);
      }),
    );
  });

  test('splits a blob into the published parts', () => {
    for (const { length, parts } of vectors.parts) expect(partsOf(length)).toEqual(parts);
  });
});

test('restores a file whose last chunks are only padding', () => {
  const file = patternFile(4_200_000);
  const layout = blobLayout(file.length);
  expect(chunkAt(layout, layout.chunks - 1).file.length).toBe(0);
  const { chunks, digest } = seal(fileKey, file);
  expect(sha256(open(fileKey, file.length, digest, chunks))).toEqual(sha256(file));
});

test('opens a sealed file with its key and no other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 70_000 }), (begin, zeros) => {
      const file = concatBytes(begin, new Uint8Array(zeros));
      const [key, other] = [newFileKey(), newFileKey()];
      const { chunks, digest } = seal(key, file);
      expect(sha256(open(key, file.length, digest, chunks))).toEqual(sha256(file));
      expect(() => open(other, file.length, digest, chunks)).toThrow(BlobError);
    }),
    { numRuns: 20 },
  );
});

test('opens a single chunk, for playing before the download ends', () => {
  const file = patternFile(65_537);
  const { chunks } = seal(fileKey, file);
  const second = openChunk(blobKeys(fileKey), blobLayout(file.length), 1, chunks[1] ?? new Uint8Array());
  expect(hex(second)).toBe(hex(file.subarray(65_536)));
});

test('computes the published digest for any pieces of the blob', () => {
  const { zeros, parts, digest } = vectors.digest;
  for (const piece of [zeros, 65_552, 1_000_003]) {
    const running = new BlobDigest();
    for (let left = zeros; left > 0; left -= piece) running.update(new Uint8Array(Math.min(piece, left)));
    const found = running.finish();
    expect(found.parts.map(hex)).toEqual(parts.map((part) => part.sha256));
    expect(found.parts.map(contentDigest)).toEqual(parts.map((part) => part.contentDigest));
    expect(encodeBase64Url(found.digest)).toBe(digest);
  }
});

test('reads the digest of a header in only one form', () => {
  for (const part of vectors.digest.parts) {
    expect(hex(readContentDigest(part.contentDigest) ?? new Uint8Array())).toBe(part.sha256);
  }
  for (const header of vectors.digest.notContentDigests) expect(readContentDigest(header), header).toBeNull();
});

test.each(vectors.files)('judges a file field: $why', ({ isFile, file }) => {
  expect(AttachedFile.safeParse(file).success).toBe(isFile);
});

test('removes folders from a name and detects images by their first bytes', () => {
  for (const { name, baseName } of vectors.names) expect(baseNameOf(name), name).toBe(baseName);
  for (const { begin, type } of vectors.imageTypes) expect(imageTypeOf(bytes(begin)), begin).toBe(type);
});

test('the largest file for a limit fits, and one byte more does not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4_112, max: MAX_BLOB_BYTES - 1 }), (limit) => {
      const most = largestFile(limit);
      expect(blobLayout(most).length).toBeLessThanOrEqual(limit);
      if (most < MAX_FILE_BYTES) expect(blobLayout(most + 1).length).toBeGreaterThan(limit);
    }),
  );
  expect(largestFile(4_111)).toBe(0);
  expect(largestFile(MAX_BLOB_BYTES)).toBe(MAX_FILE_BYTES);
});
