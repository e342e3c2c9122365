import { expect, test } from 'vitest';
import { truncatedNetwork } from '../../../../src/relay/http/observe.ts';

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:12:34:56:78:9a:bc', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '::1'],
])('of %s only %s is written down', (address, network) => {
  expect(truncatedNetwork(address)).toBe(network);
});
