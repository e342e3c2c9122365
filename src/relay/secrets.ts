/** Secrets of credentials: created here, shown once, stored only as a hash. */
import { hash, randomBytes } from 'node:crypto';
import { CREDENTIAL_PREFIX, type CredentialType, SHOWN_PREFIX_LENGTH } from '../protocol/credentials.ts';
import { INVITATION_PREFIX } from '../protocol/invitation-code.ts';

const SECRET_BYTES = 32;
const ID_BYTES = 16;

/**
 * The stored form of a secret. A plain hash is enough: the secret has 256 random bits. A slow one would only help
 * an attacker that sends many calls to overload the relay.
 */
export function digestOf(secret: string): Uint8Array {
  return bytesOfDigest(digestTextOf(secret));
}

/** The same as text, one character for each byte: the key of a map, made without a buffer. */
export function digestTextOf(secret: string): string {
  return hash('sha256', `waxwing/credential/v1 ${secret}`, 'binary');
}

/** The bytes of {@link digestTextOf}. */
export function bytesOfDigest(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** A new secret of a type, with its hash and the beginning that may be shown again. */
export function makeSecret(type: CredentialType): { secret: string; digest: Uint8Array; prefix: string } {
  const secret = CREDENTIAL_PREFIX[type] + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, digest: digestOf(secret), prefix: secret.slice(0, SHOWN_PREFIX_LENGTH) };
}

/** A new invitation code, with its hash. */
export function makeInvitationCode(): { code: string; digest: Uint8Array } {
  const code = INVITATION_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { code, digest: digestOf(code) };
}

/** A new random id, safe in a path and in a command line: it does not begin with a dash, unlike an option. */
export function makeId(): string {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}

/** A nonce for a login: 128 random bits, letters and digits only (EIP-4361). */
export function makeNonce(): string {
  return randomBytes(ID_BYTES).toString('hex');
}
