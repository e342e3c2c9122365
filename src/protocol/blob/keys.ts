/**
 * Values derived from a file's key: the id of its blob, and the key that seals it (docs/protocol.md, 'Attachments').
 *
 *   prk = HMAC-SHA256(key "waxwing/blob/v1", fileKey)
 *   id  = HKDF-Expand(prk, "id", 16)      key = HKDF-Expand(prk, "key", 32)
 *
 * A file's key encrypts once. A changed file under one key would repeat nonces: the blob is kept until it is uploaded, and if
 * it is lost, a new key is made.
 */
import { randomBytes } from '../crypto.ts';
import { encodeBase64Url, encodeUtf8 } from '../encoding.ts';
import { expand, extract } from '../hkdf.ts';

export const BLOB_LABEL = encodeUtf8('waxwing/blob/v1');
const FILE_KEY_BYTES = 32;

export interface BlobKeys {
  /** Id of the blob at the relay: 16 bytes in base64url. It does not reveal the key. */
  readonly id: string;
  /** AES-256 key of the chunks. */
  readonly key: Uint8Array;
}

/** A new key for one file: 32 random bytes. */
export function newFileKey(): Uint8Array {
  return randomBytes(FILE_KEY_BYTES);
}

/** @param fileKey 32 bytes */
export function blobKeys(fileKey: Uint8Array): BlobKeys {
  if (fileKey.length !== FILE_KEY_BYTES) throw new RangeError('the key of a file has 32 bytes');
  const pseudoRandomKey = extract(BLOB_LABEL, fileKey);
  return { id: encodeBase64Url(expand(pseudoRandomKey, 'id', 16)), key: expand(pseudoRandomKey, 'key', 32) };
}
