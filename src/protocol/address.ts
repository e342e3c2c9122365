/**
 * Addresses: 20 bytes; lower-case hex on the wire, EIP-55 (mixed-case checksum) on screen and in signed texts.
 */
import { addr } from 'micro-eth-signer';
import { FormatError } from './faults.ts';

const ANY_CASE = /^0x[0-9a-fA-F]{40}$/;

/** Malformed, or a wrong checksum: a character may be mistyped. */
export type AddressFault = 'form' | 'checksum';

/** An invalid address. */
export class AddressError extends FormatError<AddressFault> {
  override readonly name = 'AddressError';
}

/**
 * The wire form of an address that a person typed or a screen showed. A wrong EIP-55 checksum is refused, to catch
 * typing errors.
 * @throws AddressError
 */
export function toWireAddress(text: string): string {
  if (!ANY_CASE.test(text)) throw new AddressError('form');
  if (!addr.isValid(text)) throw new AddressError('checksum');
  return text.toLowerCase();
}

/** The EIP-55 form of an address in any case. */
export function toChecksumAddress(address: string): string {
  return addr.addChecksum(address);
}
