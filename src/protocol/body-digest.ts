/** The digest by which a message refers to the text of another one (docs/protocol.md, 'References'). */
import { sha256 } from './crypto.ts';
import { encodeBase64Url } from './encoding.ts';

const DIGEST_BYTES = 16;

/** The digest of a body: the first 16 bytes of SHA-256 of its exact bytes, in base64url. Stored with the message. */
export function bodyDigest(body: Uint8Array): string {
  return digestOfHash(sha256(body));
}

/** {@link bodyDigest} of a body whose SHA-256 is known. */
export function digestOfHash(bodyHash: Uint8Array): string {
  return encodeBase64Url(bodyHash.subarray(0, DIGEST_BYTES));
}
