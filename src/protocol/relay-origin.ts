/**
 * The name of a relay in signed and shared texts: its origin, in the form of the URL standard
 * (https://url.spec.whatwg.org/#origin): scheme, host in lower case and ASCII, and a port unless it is the default.
 */
import { z } from 'zod';
import { FIELD_FAULTS } from './faults.ts';

/** The longest origin, in characters: a name of 253, scheme and port. */
const MAX_ORIGIN_LENGTH = 267;

/** Reports whether a host of a URL is this computer. */
export function isOwnComputer(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Reports whether the text is the origin of a relay: https, or http on this computer. */
export function isRelayOrigin(text: string): boolean {
  if (text.length > MAX_ORIGIN_LENGTH || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && isOwnComputer(hostname)));
}

export const RelayOrigin = z
  .string()
  .refine(isRelayOrigin, FIELD_FAULTS.relay_origin())
  .meta({ description: 'Origin of a relay, such as `https://relay.example`, with nothing after the host.' });
