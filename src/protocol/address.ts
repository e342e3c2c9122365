/**
 * Addresses: 20 bytes; lower-case hex on the wire, EIP-55 (mixed-case checksum) on screen and in signed texts.
 */
import { addr } from 'micro-eth-signer';
import { FormatError } from './faults.ts';

const ANY_CASE = /^0x[0-9a-fA-F]{40}$/;

/** It is not 0x and 40 hexadecimal digits; or its capital letters do not fit it, so that a character may be mistyped. */
export type AddressFault = 'form' | 'checksum';

/** A text is no address. */
export class AddressError extends FormatError<AddressFault> {
  override readonly name = 'AddressError';
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
