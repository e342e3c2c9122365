import { expect, test } from 'vitest';
import { isLoopback, networkOf, wideNetworkOf } from '../../../../src/relay/http/network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['::FFFF:cb00:7107', '203.0.113.7', '203.0.113.0/24'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1::/48'],
  ['2001:0DB8:0001:2::1', '2001:db8:1:2', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0::/48'],
  ['::2', '0:0:0:0', '0:0:0::/48'],
  ['127.evil', 'unknown', 'unknown'],
])('%s belongs to the network %s, in %s, and is not this machine', (address, network, wide) => {
  expect(networkOf(address)).toBe(network);
  expect(wideNetworkOf(network)).toBe(wide);
  expect(isLoopback(network)).toBe(false);
});

test.each(['127.0.0.1', '127.255.3.4', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is this machine',
  (address) => expect(isLoopback(networkOf(address))).toBe(true),
);
