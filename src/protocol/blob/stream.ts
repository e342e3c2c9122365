/** Conversion between file and blob, one chunk at a time. The digest is computed during the conversion. */
import { equalBytes } from '../encoding.ts';
import { BlobError, openChunk, sealChunk } from './chunks.ts';
import { BlobDigest, type BlobDigests } from './digest.ts';
import { type BlobKeys, blobKeys } from './keys.ts';
import { type BlobLayout, blobLayout } from './layout.ts';

/** Seals a file. A key seals one file only. */
export class BlobWriter {
  readonly keys: BlobKeys;
  readonly layout: BlobLayout;
  readonly #digest = new BlobDigest();
  #next = 0;

  /**
   * @param fileKey 32 bytes
   * @param size of the file in bytes
   */
  constructor(fileKey: Uint8Array, size: number) {
    this.keys = blobKeys(fileKey);
    this.layout = blobLayout(size);
  }

  /**
   * The next chunk of the blob.
   * @param filePart the bytes of the file in this chunk
   * @param into room for the chunk, SEALED_CHUNK_BYTES long; by default new
   * @throws RangeError for a wrong length, or after the last chunk
   */
  push(filePart: Uint8Array, into?: Uint8Array): Uint8Array {
    const sealed = sealChunk(this.keys, this.layout, this.#next, filePart, into);
    this.#next++;
    this.#digest.update(sealed);
    return sealed;
  }

  /** @throws RangeError before the last chunk */
  finish(): BlobDigests {
    if (this.#next < this.layout.chunks) throw new RangeError('chunks are missing');
    return this.#digest.finish();
  }
}

/** Opens a blob. Its bytes are trusted only after {@link finish} has returned; sound and video may be played before. */
export class BlobReader {
  readonly keys: BlobKeys;
  readonly layout: BlobLayout;
  readonly #expected: Uint8Array;
  readonly #digest = new BlobDigest();
  #next = 0;

  /**
   * @param fileKey 32 bytes
   * @param size of the file in bytes
   * @param digest that was announced, 32 bytes
   */
  constructor(fileKey: Uint8Array, size: number, digest: Uint8Array) {
    this.keys = blobKeys(fileKey);
    this.layout = blobLayout(size);
    this.#expected = digest;
  }

  /**
   * The bytes of the file in the next chunk.
   * @throws BlobError
   */
  push(sealed: Uint8Array): Uint8Array {
    if (this.#next === this.layout.chunks) throw new BlobError({ wrong: 'length' });
    const plain = openChunk(this.keys, this.layout, this.#next, sealed);
    this.#next++;
    this.#digest.update(sealed);
    return plain;
  }

  /** @throws BlobError if a chunk is missing, or the digest differs from the announced one */
  finish(): void {
    if (this.#next < this.layout.chunks) throw new BlobError({ wrong: 'length' });
    if (!equalBytes(this.#digest.finish().digest, this.#expected)) throw new BlobError({ wrong: 'digest' });
  }
}
