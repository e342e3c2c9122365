/**
 * Addresses in their wire form. Separate from the checksum of address.ts: its library is slower to load than the
 * rest of a thread that opens envelopes.
 */
import { EncodingError } from './encoding.ts';

const WIRE = /^0x[0-9a-f]{40}$/;

/** Reports whether the text is an address in wire form: `0x` and 40 lower-case hex digits. */
export function isWireAddress(text: string): boolean {
  return WIRE.test(text);
}

/** Length of an address in bytes. */
export const ADDRESS_BYTES = 20;
/** Length of a wire address. */
const CHARACTERS = 2 + 2 * ADDRESS_BYTES;

/**
 * The 20 bytes of a wire address.
 * @throws EncodingError for anything but the wire form
 */
export function addressBytes(address: string): Uint8Array {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  writeAddress(address, bytes, 0);
  return bytes;
}

/**
 * Writes the 20 bytes of a wire address into others.
 * @throws EncodingError for anything but the wire form
 */
export function writeAddress(address: string, into: Uint8Array, offset: number): void {
  // One pass with the check: this is done twice for each envelope.
  let isWire = address.length === CHARACTERS && address.startsWith('0x');
  for (let index = 0; index < ADDRESS_BYTES; index++) {
    const high = digitValue(address, 2 + 2 * index);
    const low = digitValue(address, 3 + 2 * index);
    if (high < 0 || low < 0) isWire = false;
    into[offset + index] = (high << 4) | low;
  }
  if (!isWire) throw new EncodingError('not an address: 0x and 40 lower-case hex digits');
}

/** Value of a lower-case hex digit; negative for any other character, and after the end. */
function digitValue(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
