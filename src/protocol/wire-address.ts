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

/**
 * The 20 bytes of a wire address.
 * @throws EncodingError for anything but the wire form
 */
export function addressBytes(address: string): Uint8Array {
  if (!isWireAddress(address)) throw new EncodingError('not an address: 0x and 40 lower-case hex digits');
  const bytes = new Uint8Array(20);
  for (let index = 0; index < 20; index++) {
    bytes[index] = (digitValue(address, 2 + 2 * index) << 4) | digitValue(address, 3 + 2 * index);
  }
  return bytes;
}

/** Value of a lower-case hex digit. */
function digitValue(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code <= 0x39 ? code - 0x30 : code - 0x57;
}
