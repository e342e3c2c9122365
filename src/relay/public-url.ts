/**
 * The URL under which clients know a relay: what travels to it besides ciphertext must not be open to everybody.
 */
import { OperatorFailure } from './operator-failure.ts';

/** Clients would send their credentials in the clear. The message is a sentence for the operator. */
export class InsecurePublicUrl extends OperatorFailure {
  override readonly name = 'InsecurePublicUrl';
}

/** Whether a host or an address is this computer. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** @throws InsecurePublicUrl if it is plain http to another computer */
export function requireSecurePublicUrl(publicUrl: string): void {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw new InsecurePublicUrl(
    `Clients would send their credentials unprotected to ${publicUrl}. Put a proxy with TLS in front of the relay ` +
      'and give its https URL, or accept this with --insecure-http.',
  );
}
