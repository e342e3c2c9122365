/**
 * People and groups in arguments and on screen.
 */
import type { Person } from '../client/index.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import { OpaqueId } from '../protocol/primitives.ts';
import { Handle } from '../protocol/schemas/directory.ts';
import { parseWireAddress } from './arguments.ts';
import { argumentError } from './command-error.ts';
import { oneLine } from './printing.ts';

/**
 * A person in an argument: `@ann`, `ann`, or an address. Returns `@ann` or the wire address.
 * @throws InvalidArgumentError
 */
export function parsePerson(text: string): string {
  if (!text.startsWith('0x')) {
    const handle = Handle.safeParse(text.replace(/^@/, ''));
    if (handle.success) return `@${handle.data}`;
    throw argumentError('person');
  }
  return parseWireAddress(text);
}

/**
 * The id of a group, token or key in an argument.
 * @throws InvalidArgumentError
 */
export function parseId(text: string): string {
  if (OpaqueId.safeParse(text).success) return text;
  throw argumentError('id');
}

/** For example `@ann (0x19E7E3…ff2A)`; only the address without a handle. */
export function nameOf({ handle, address }: Pick<Person, 'handle' | 'address'>): string {
  return handle === null ? toChecksumAddress(address) : `@${oneLine(handle)} (${shortAddress(address)})`;
}

/** For example `0x19E7E3…ff2A`. */
export function shortAddress(address: string): string {
  const full = toChecksumAddress(address);
  return `${full.slice(0, 8)}…${full.slice(-4)}`;
}

/** For example `3 devices`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
