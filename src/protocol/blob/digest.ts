/**
 * The digest of a blob, over the digests of its parts: the digest of a part is sent with its upload, and `digest` of a
 * file is the digest of all (docs/protocol.md, 'Attachments').
 *
 *   digest = SHA-256(SHA-256(part 0) || SHA-256(part 1) || …)
 */
import { type Sha256Stream, sha256, sha256Stream } from '../crypto.ts';
import { concatBytes, decodeBase64, encodeBase64 } from '../encoding.ts';
import { PART_BYTES } from './layout.ts';

export interface BlobDigests {
  /** SHA-256 of each part: 32 bytes each. */
  readonly parts: readonly Uint8Array[];
  /** SHA-256 of the parts' digests: 32 bytes. */
  readonly digest: Uint8Array;
}

/** Reads a blob in pieces of any length, in order. */
export class BlobDigest {
  readonly #parts: Uint8Array[] = [];
  #part: Sha256Stream = sha256Stream();
  #inPart = 0;

  update(piece: Uint8Array): void {
    let rest = piece;
    while (rest.length > 0) {
      if (this.#inPart === PART_BYTES) this.#endPart();
      const part = rest.subarray(0, PART_BYTES - this.#inPart);
      this.#part.update(part);
      this.#inPart += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Ends the blob: it accepts no more pieces. */
  finish(): BlobDigests {
    if (this.#inPart > 0) this.#endPart();
    return { parts: this.#parts, digest: sha256(concatBytes(...this.#parts)) };
  }

  #endPart(): void {
    this.#parts.push(this.#part.digest());
    this.#part = sha256Stream();
    this.#inPart = 0;
  }
}

const CONTENT_DIGEST = /^sha-256=:([A-Za-z0-9+/]{43}=):$/;

/** The header `Content-Digest` of a part (RFC 9530). @param digest SHA-256 of the part, 32 bytes */
export function contentDigest(digest: Uint8Array): string {
  return `sha-256=:${encodeBase64(digest)}:`;
}

/** The 32 bytes of a header `Content-Digest` that names only SHA-256; null otherwise. */
export function readContentDigest(header: string): Uint8Array | null {
  const text = CONTENT_DIGEST.exec(header)?.[1];
  if (text === undefined) return null;
  try {
    return decodeBase64(text);
  } catch {
    return null;
  }
}
