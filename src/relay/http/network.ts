/** Network addresses as limits count them. Compared by their bytes: one address has many spellings. */
import { isIPv4, isIPv6 } from 'node:net';

/** The prefix of an IPv4 address written as an IPv6 address. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];
const LOOPBACK = [0, 0, 0, 0, 0, 0, 0, 1];

/**
 * The unit that counts as one network address: an IPv4 address, or the /64 of one IPv6 subscriber. `::1` counts
 * alone, as does any text that is not an address.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  const groups = groupsOf(address);
  if (startsWith(groups, LOOPBACK)) return '::1';
  if (startsWith(groups, MAPPED)) return groups.slice(6).flatMap(bytesOf).join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The network around a result of {@link networkOf}: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function wideNetworkOf(network: string): string {
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = network.split(':');
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : network;
}

/** True if a result of {@link networkOf} is this machine itself. */
export function isLoopback(network: string): boolean {
  return network === '::1' || (isIPv4(network) && network.startsWith('127.'));
}

/** The eight groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail] = withoutZone.split('::');
  const left = readGroups(head);
  if (tail === undefined) return left;
  const right = readGroups(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The last group may be an IPv4 address, which is two groups. */
function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!isIPv4(group)) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 0xff];
}

function startsWith(groups: readonly number[], start: readonly number[]): boolean {
  return start.every((group, index) => groups[index] === group);
}
