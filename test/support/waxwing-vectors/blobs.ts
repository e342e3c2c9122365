/**
 * Sealed files: keys, lengths, chunks, parts, and blobs that must not open. Files are identified by their size: byte k is k
 * mod 251.
 */
import { chunkNonce } from '../../../src/protocol/blob/chunks.ts';
import { BlobDigest, contentDigest } from '../../../src/protocol/blob/digest.ts';
import { BLOB_LABEL, blobKeys } from '../../../src/protocol/blob/keys.ts';
import { blobLayout, chunkAt, MAX_FILE_BYTES, partsOf } from '../../../src/protocol/blob/layout.ts';
import { BlobWriter } from '../../../src/protocol/blob/stream.ts';
import { encryptAesGcm, sha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { fixedBytes } from '../identities.ts';
import { hex } from '../vectors.ts';

const SIZES = [0, 1, 65_536, 65_537];
const FILE_KEY = fixedBytes(0x61);

/** A file of that size. */
export function patternFile(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => index % 251);
}

/** A chunk by its sealed contents, true or false. */
export interface ChunkRecipe {
  index: number;
  last: boolean;
  /** The place of its plaintext in the padded file. */
  from: number;
  to: number;
}

/** The chunks of a recipe, sealed one after the other. `plain` is the padded file. */
export function cook(fileKey: Uint8Array, plain: Uint8Array, recipe: readonly ChunkRecipe[]): Uint8Array[] {
  const { key } = blobKeys(fileKey);
  return recipe.map(({ index, last, from, to }) =>
    encryptAesGcm(key, chunkNonce(index, last), BLOB_LABEL, plain.subarray(from, to)),
  );
}

/** The file with its zeros. */
export function padded(size: number): Uint8Array {
  const plain = new Uint8Array(blobLayout(size).paddedSize);
  plain.set(patternFile(size));
  return plain;
}

function digestOf(chunks: readonly Uint8Array[]): Uint8Array {
  const digest = new BlobDigest();
  for (const chunk of chunks) digest.update(chunk);
  return digest.finish().digest;
}

export function blobVectors() {
  const keys = blobKeys(FILE_KEY);
  return {
    keys: { fileKey: hex(FILE_KEY), id: keys.id, key: hex(keys.key) },
    blobs: SIZES.map(blob),
    lengths: lengths(),
    notLengths: notLengths(),
    parts: [4_112, 8_388_608, 8_388_609, 105_076_800].map((length) => ({ length, parts: partsOf(length) })),
    digest: digests(),
    refused: refused(),
    files: files(),
    names: [
      ['report.pdf', 'report.pdf'],
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\ann\\notes.txt', 'notes.txt'],
      ['a/', null],
      ['..', null],
      [' ', null],
    ].map(([name, baseName]) => ({ name, baseName })),
    imageTypes: [
      ['89504e470d0a1a0a00000000', 'image/png'],
      ['ffd8ffe000104a4649460001', 'image/jpeg'],
      ['474946383961010001000000', 'image/gif'],
      ['474946383761010001000000', 'image/gif'],
      ['524946461a00000057454250', 'image/webp'],
      ['524946461a00000057415645', null],
      ['89504e47', null],
      ['3c73766720786d6c6e733d22', null],
      ['', null],
    ].map(([begin, type]) => ({ begin, type })),
  };
}

function blob(size: number) {
  const file = patternFile(size);
  const writer = new BlobWriter(FILE_KEY, size);
  const { layout } = writer;
  const chunks = Array.from({ length: layout.chunks }, (_, index) => {
    const { offset, length } = chunkAt(layout, index).file;
    return writer.push(file.subarray(offset, offset + length));
  });
  const { digest } = writer.finish();
  return {
    ...layout,
    chunks: chunks.map((sealed, index) => {
      const { file: ofFile, blob: ofBlob, isLast } = chunkAt(layout, index);
      return {
        nonce: hex(chunkNonce(index, isLast)),
        file: ofFile,
        blob: ofBlob,
        begin: hex(sealed.subarray(0, 16)),
        tag: hex(sealed.subarray(-16)),
        sha256: hex(sha256(sealed)),
      };
    }),
    digest: encodeBase64Url(digest),
  };
}

/** Sizes of files on either side of each step, with the length of their blobs. */
function lengths() {
  const sizes = [0, 4096, 4097, 4352, 4353, 65_536, 65_537, 67_584, 1_000_000, 104_857_600, MAX_FILE_BYTES];
  return sizes.map((size) => ({ size, length: blobLayout(size).length }));
}

function notLengths() {
  const [least, one, two] = [0, 65_536, 65_537].map((size) => blobLayout(size).length) as [
    number,
    number,
    number,
  ];
  return [0, 16, least - 1, least + 1, one - 1, one + 1, one + 16, two - 1, two + 1, 2 ** 31, 2 ** 31 + 16];
}

/** Zeros in place of a blob, because only the lengths of its parts matter. */
function digests() {
  const digest = new BlobDigest();
  digest.update(new Uint8Array(8_388_608));
  digest.update(new Uint8Array(1));
  const { parts, digest: whole } = digest.finish();
  return {
    zeros: 8_388_609,
    parts: parts.map((part) => ({ sha256: hex(part), contentDigest: contentDigest(part) })),
    digest: encodeBase64Url(whole),
    notContentDigests: [
      `sha-512=:${contentDigest(fixedBytes(1)).slice(9)}`,
      contentDigest(fixedBytes(1)).slice(0, -2).concat(':'),
      contentDigest(fixedBytes(1)).replace('E=:', 'F=:'),
      `${contentDigest(fixedBytes(1))}, ${contentDigest(fixedBytes(2))}`,
      'sha-256=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE',
    ],
  };
}

function refused() {
  const size = 65_537;
  const { paddedSize } = blobLayout(size);
  const first: ChunkRecipe = { index: 0, last: false, from: 0, to: 65_536 };
  const second: ChunkRecipe = { index: 1, last: true, from: 65_536, to: paddedSize };
  const right = cook(FILE_KEY, padded(size), [first, second]);
  const other = fixedBytes(0x62);
  const make = (
    why: string,
    wrong: string,
    chunks: readonly ChunkRecipe[],
    more: { fileKey?: Uint8Array; lastPaddingByte?: number; flippedBit?: boolean } = {},
  ) => {
    const plain = padded(size);
    plain[paddedSize - 1] = more.lastPaddingByte ?? 0;
    const sealed = cook(more.fileKey ?? FILE_KEY, plain, chunks);
    const last = sealed.at(-1);
    if (more.flippedBit && last) last[last.length - 1] = (last.at(-1) ?? 0) ^ 1;
    return {
      why,
      size,
      sealedUnder: hex(more.fileKey ?? FILE_KEY),
      chunks,
      lastPaddingByte: more.lastPaddingByte ?? 0,
      flippedBit: more.flippedBit ?? false,
      // Digests of the received bytes, so that only the fault itself is detected.
      digest: encodeBase64Url(digestOf(sealed)),
      wrong,
    };
  };
  return [
    make('the last chunk is missing', 'length', [first]),
    make('one more chunk follows', 'length', [first, second, { ...second, index: 2 }]),
    make('the last chunk is shorter', 'length', [first, { ...second, to: paddedSize - 1 }]),
    make('the first chunk says that it is the last', 'chunk', [{ ...first, last: true }, second]),
    make('the last chunk does not say that it is the last', 'chunk', [first, { ...second, last: false }]),
    make('the chunks stand in the other order', 'chunk', [second, first]),
    make('the first chunk is sealed as the second', 'chunk', [{ ...first, index: 1 }, second]),
    make('sealed under another key', 'chunk', [first, second], { fileKey: other }),
    make('the last bit of the tag is another', 'chunk', [first, second], { flippedBit: true }),
    make('the last byte of the padding is not zero', 'padding', [first, second], { lastPaddingByte: 1 }),
    {
      ...make('another blob than the one that was announced', 'digest', [first, second]),
      digest: encodeBase64Url(digestOf(right.toReversed())),
    },
  ];
}

function files() {
  const file = {
    key: encodeBase64Url(FILE_KEY),
    digest: encodeBase64Url(fixedBytes(0x63)),
    size: 5,
    mediaType: 'text/plain',
    name: 'hello.txt',
  };
  const picture = {
    ...file,
    mediaType: 'image/webp',
    width: 640,
    height: 480,
    alt: 'A waxwing on a rowan',
    blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
    thumbnail: encodeBase64Url(encodeUtf8('RIFF')),
  };
  const voice = { ...file, mediaType: 'audio/ogg', durationMs: 1_500, voice: true };
  const waveform = encodeBase64Url(concatBytes(fixedBytes(7), fixedBytes(9)));
  const is = (why: string, isFile: boolean, value: object) => ({ why, isFile, file: value });
  return [
    is('a file', true, file),
    is('a picture', true, picture),
    is('spoken', true, { ...voice, waveform }),
    is('further fields are ignored', true, { ...file, mood: 'glad' }),
    is('an empty file', true, { ...file, size: 0 }),
    is('a thumbnail of 8,192 bytes', true, { ...picture, thumbnail: encodeBase64Url(new Uint8Array(8_192)) }),
    is('a thumbnail of 8,193 bytes', false, {
      ...picture,
      thumbnail: encodeBase64Url(new Uint8Array(8_193)),
    }),
    is('no key', false, { ...file, key: undefined }),
    is('a key of 31 bytes', false, { ...file, key: encodeBase64Url(FILE_KEY.subarray(1)) }),
    is('a size below zero', false, { ...file, size: -1 }),
    is('a size that is not whole', false, { ...file, size: 0.5 }),
    is('a size that no blob has', false, { ...file, size: MAX_FILE_BYTES + 1 }),
    is('a name of 256 bytes', false, { ...file, name: 'é'.repeat(128) }),
    is('a name with a control character', false, { ...file, name: 'a\u0000b' }),
    is('an empty media type', false, { ...file, mediaType: '' }),
    is('a width of zero', false, { ...picture, width: 0 }),
    is('a waveform of 63 bytes', false, { ...voice, waveform: encodeBase64Url(new Uint8Array(63)) }),
  ];
}
