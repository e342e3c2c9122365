/**
 * Addresses that people type.
 */
import { AddressError, toWireAddress } from '../protocol/address.ts';
import { Failure } from './failure.ts';

/**
 * The wire form of an address that a person gave.
 * @throws Failure address_malformed; address_mistyped, where its checksum is wrong
 */
export function parseAddress(text: string): string {
  try {
    return toWireAddress(text);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new Failure(error.fault === 'form' ? 'address_malformed' : 'address_mistyped');
  }
}
