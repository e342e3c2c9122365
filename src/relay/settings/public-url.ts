/** The relay's URL for clients: everything sent to it besides ciphertext needs protection. */
import { OperatorFailure } from '../operator/failure.ts';

/** True if a host or an address is this computer. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** @throws OperatorFailure public_url_insecure if it is plain http to another computer */
export function requireSecurePublicUrl(publicUrl: string): void {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw new OperatorFailure('public_url_insecure', { url: publicUrl });
}
