/** Renewing a session without the wallet, by a signature of the device. */

import { concatBytes, decodeBase64Url, decodeTime, encodeU64, encodeUtf8 } from './encoding.ts';
import { addressBytes } from './wire-address.ts';

const LABEL = encodeUtf8('waxwing/session/v1');

/**
 * The bytes for the signature with the device's Ed25519 key.
 * @param issuedAt the time in the request; the relay accepts each once, within a minute
 * @param domain the relay's own authority, such as `relay.example:8443`
 */
export function sessionRenewalBytes(
  address: string,
  deviceId: string,
  issuedAt: string,
  domain: string,
): Uint8Array {
  return concatBytes(
    LABEL,
    addressBytes(address),
    decodeBase64Url(deviceId),
    encodeU64(decodeTime(issuedAt)),
    encodeUtf8(domain),
  );
}
