/** The ML-KEM-768 of this process: Node's own if it passes the known answers, else the one in JavaScript. */
import { sha256 } from '../crypto.ts';
import { encodeBase64Url, equalBytes } from '../encoding.ts';
import { ML_KEM_CIPHERTEXT_BYTES, ML_KEM_SEED_BYTES, type MlKem } from './ml-kem.ts';
import { nativeMlKem } from './native.ts';
import { nobleMlKem } from './noble.ts';

/** Known answers for a seed of zeros and a ciphertext of zeros: SHA-256 of the public key, and the secret. */
const KNOWN = {
  publicKey: '-VwYX-WyM10vyTjdiJxkJZRKzXQ3a2lSvxEw9yD2upk',
  rejected: 'BBnG-iJokfaNeSrl5aKSnyh27Phtx7sn7gs1YzIK248',
};

/** Reports whether a backend works here. An existing backend may still refuse our form of keys. */
export function isWorking({ importKey, encapsulate }: MlKem): boolean {
  try {
    const key = importKey(new Uint8Array(ML_KEM_SEED_BYTES));
    const { ciphertext, sharedSecret } = encapsulate(key.publicKey);
    return (
      encodeBase64Url(sha256(key.publicKey)) === KNOWN.publicKey &&
      encodeBase64Url(key.decapsulate(new Uint8Array(ML_KEM_CIPHERTEXT_BYTES))) === KNOWN.rejected &&
      equalBytes(key.decapsulate(ciphertext), sharedSecret)
    );
  } catch {
    return false;
  }
}

export const mlKem: MlKem = isWorking(nativeMlKem) ? nativeMlKem : nobleMlKem;
