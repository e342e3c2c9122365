/**
 * How a relay is named in what is signed and handed on: by its origin, in the one form that the URL standard writes
 * (https://url.spec.whatwg.org/#origin): scheme, host in lower case and ASCII, a port if it is not the usual one.
 */
import { z } from 'zod';
import { FIELD_FAULTS } from './faults.ts';

/** The longest origin, in characters: a name of 253, scheme and port. */
const MOST_ORIGIN_LENGTH = 267;

/** Reports whether a host of a URL is this computer. */
export function isOwnComputer(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Reports whether the text is the origin of a relay: https, or on one's own computer http. */
export function isRelayOrigin(text: string): boolean {
  if (text.length > MOST_ORIGIN_LENGTH || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && isOwnComputer(hostname)));
}

export const RelayOrigin = z
  .string()
  .refine(isRelayOrigin, FIELD_FAULTS.relay_origin())
  .meta({ description: 'Origin of a relay, such as `https://relay.example`, with nothing after the host.' });
