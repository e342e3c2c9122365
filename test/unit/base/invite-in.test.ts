import { expect, test } from 'vitest';
import { isSameInvite } from '../../../src/base/invite-in.ts';

const CODE = 'AQIDBAUGBwgJCgsMDQ4PEBESExQ';

test.each([
  'https://relay.example',
  // Ends like the path of a link.
  'https://chat.example.fi',
  'http://raspberrypi',
])('the two forms of an invite link are the same one, at %s', (relay) => {
  const url = `${relay}/i#${CODE}`;
  expect(isSameInvite(url, `waxwing:i/${CODE}`)).toBe(true);
  expect(isSameInvite(`Write to me: ${url}.`, `waxwing:i/${CODE}`)).toBe(true);
  expect(isSameInvite(url, `waxwing:i/${CODE}A`)).toBe(false);
});

test('other texts are the same if they are equal', () => {
  expect(isSameInvite(' an invite ', 'an invite')).toBe(true);
  expect(isSameInvite('an invite', `waxwing:i/${CODE}`)).toBe(false);
});
