/**
 * Entries of the log: one for each device list that a relay has published (docs/protocol.md, 'The log').
 *
 *   entry = "waxwing/log/v1" || SHA-256(address) || sequence u32 || hash of the list (32)      82 bytes
 */

import { sha256 } from '../../../../src/protocol/crypto.ts';
import type { ListReference } from '../../../../src/protocol/device-list.ts';
import {
  concatBytes,
  decodeBase64Url,
  EncodingError,
  encodeBase64Url,
  encodeU32,
  encodeUtf8,
  equalBytes,
} from '../../../../src/protocol/encoding.ts';
import { addressBytes } from '../../../../src/protocol/wire-address.ts';

const LABEL = encodeUtf8('waxwing/log/v1');
const HASH_BYTES = 32;
const ADDRESS_END = LABEL.length + HASH_BYTES;
const SEQUENCE_END = ADDRESS_END + 4;
export const LOG_ENTRY_BYTES = SEQUENCE_END + HASH_BYTES;

/** A list in the log. The address is stored as its hash. */
export interface LogEntry {
  /** SHA-256 of the 20 bytes of the address. */
  readonly addressHash: Uint8Array;
  readonly list: ListReference;
}

/** Encoding of an address in entries: 32 bytes. */
export function addressHash(address: string): Uint8Array {
  return sha256(addressBytes(address));
}

/** The entry of a list of an address. */
export function encodeLogEntry(address: string, { sequence, hash }: ListReference): Uint8Array {
  return concatBytes(LABEL, addressHash(address), encodeU32(sequence), decodeBase64Url(hash));
}

/**
 * Takes an entry apart.
 * @throws EncodingError if it is none
 */
export function decodeLogEntry(entry: Uint8Array): LogEntry {
  if (entry.length !== LOG_ENTRY_BYTES || !equalBytes(entry.subarray(0, LABEL.length), LABEL)) {
    throw new EncodingError('not an entry of the log');
  }
  const number = entry.subarray(ADDRESS_END, SEQUENCE_END);
  const sequence = number.reduce((value, byte) => value * 256 + byte, 0);
  if (sequence === 0) throw new EncodingError('device lists are counted from 1');
  return {
    addressHash: entry.slice(LABEL.length, ADDRESS_END),
    list: { sequence, hash: encodeBase64Url(entry.subarray(SEQUENCE_END)) },
  };
}
