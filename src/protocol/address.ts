/**
 * Addresses: 20 bytes; lower-case hex on the wire, EIP-55 (mixed-case checksum) on screen and in signed texts.
 */
import { addr } from 'micro-eth-signer';
import { EncodingError } from './encoding.ts';
import { FormatError } from './faults.ts';

const WIRE = /^0x[0-9a-f]{40}$/;
const ANY_CASE = /^0x[0-9a-fA-F]{40}$/;

/** It is not 0x and 40 hexadecimal digits; or its capital letters do not fit it, so that a character may be mistyped. */
export type AddressFault = 'form' | 'checksum';

/** A text is no address. */
export class AddressError extends FormatError<AddressFault> {
  override readonly name = 'AddressError';
}

/** Whether the text is an address as it stands on the wire: `0x` and 40 lower-case hex digits. */
export function isWireAddress(text: string): boolean {
  return WIRE.test(text);
}

/**
 * The wire form of an address that a person typed or a screen showed.
 * Mixed case must carry a right EIP-55 checksum, so that a typing error is caught.
 * @throws AddressError
 */
export function toWireAddress(text: string): string {
  if (!ANY_CASE.test(text)) throw new AddressError('form');
  if (!addr.isValid(text)) throw new AddressError('checksum');
  return text.toLowerCase();
}

/** EIP-55 form of an address in any case. */
export function toChecksumAddress(address: string): string {
  return addr.addChecksum(address);
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
