/**
 * Proofs of a person who joins, by a key derived from the group's password or contained in an invite link. They need no other
 * member online, and a relay that knows neither cannot make one.
 *
 *   join      = "waxwing/join/v1" || groupId(16) || previous(32) || address(20)
 *   admission = "waxwing/admission/v1" || groupId(16) || address(20)
 */

import { type PrivateKey, signEd25519, verifyEd25519 } from '../crypto.ts';
import { concatBytes, decodeBase64Url, encodeBase64Url, encodeUtf8 } from '../encoding.ts';
import { addressBytes } from '../wire-address.ts';
import type { LinkProof } from './forms.ts';

const JOIN_LABEL = encodeUtf8('waxwing/join/v1');
const ADMISSION_LABEL = encodeUtf8('waxwing/admission/v1');

/** The signed bytes of a join's proof: this group, this place in its chain, this address. */
export function joinProofBytes(groupId: string, previous: string, address: string): Uint8Array {
  return concatBytes(JOIN_LABEL, decodeBase64Url(groupId), decodeBase64Url(previous), addressBytes(address));
}

/** The signed bytes by which the key of a link allows an address to read the group. */
export function admissionBytes(groupId: string, address: string): Uint8Array {
  return concatBytes(ADMISSION_LABEL, decodeBase64Url(groupId), addressBytes(address));
}

/** The signature of a proof, in base64url. */
export function signProof(key: PrivateKey, bytes: Uint8Array): string {
  return encodeBase64Url(signEd25519(key, bytes));
}

/** The proof by the key of a link. */
export function signLinkProof(key: PrivateKey, bytes: Uint8Array): LinkProof {
  return { key: encodeBase64Url(key.publicKey), signature: signProof(key, bytes) };
}

/**
 * Reports whether a proof is valid.
 * @param key Ed25519 public key in base64url
 * @param signature in base64url
 */
export function isProof(key: string, bytes: Uint8Array, signature: string): boolean {
  return verifyEd25519(decodeBase64Url(key), bytes, decodeBase64Url(signature));
}
