/** IP addresses of the public internet, by the registries of special addresses (IANA, RFC 6890). */
import { BlockList, isIP, isIPv6 } from 'node:net';

const SPECIAL_V4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Global unicast. Everything else is special: loopback, private, link-local, multicast, and mapped addresses. */
const GLOBAL_V6: readonly [string, number] = ['2000::', 3];
/** Special addresses within it: Teredo and other protocol assignments, documentation, 6to4, and AS112. */
const SPECIAL_V6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, bits] of SPECIAL_V4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of SPECIAL_V6) special.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** Reports whether a text is an address that every computer on the internet reaches in the same way. */
export function isPublicAddress(address: string): boolean {
  const isSix = isIPv6(address);
  if (isIP(address) === 0 || (isSix && !global.check(address, 'ipv6'))) return false;
  return !special.check(address, isSix ? 'ipv6' : 'ipv4');
}
