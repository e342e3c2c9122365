import { expect, test } from 'vitest';
import {
  JournalInvitations,
  type KeptInvitation,
} from '../../../../src/client/identity/journal/invitations.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const address = (digit: string) => `0x${digit.repeat(40)}`;
const groupId = (number: number) => String(number).padStart(22, 'A');

function invitation(group: number, from: string, expires = NOW + 60_000): KeptInvitation {
  const ticket = {
    address: address('1'),
    issued: encodeTime(NOW),
    expires: encodeTime(expires),
    by: from,
    list: 1,
    deviceId: 'A'.repeat(22),
    signature: 'A'.repeat(86),
  };
  return { groupId: groupId(group), name: 'Herons', from, ticket };
}

/** @param partners addresses that the program has written to */
function opened(...partners: string[]): JournalInvitations {
  const invitations: JournalInvitations = new JournalInvitations(
    (entry) => invitations.apply(entry),
    (from) => partners.includes(from),
  );
  return invitations;
}
const invitersTo = (invitations: JournalInvitations, group: number, now = NOW) =>
  invitations.to(groupId(group), now).map(({ from }) => from);

test('finds an invitation until it is used or expires', () => {
  const invitations = opened();
  invitations.keep(invitation(1, address('a')));
  expect(invitersTo(invitations, 1)).toEqual([address('a')]);
  expect(invitersTo(invitations, 1, NOW + 60_000)).toEqual([]);
  invitations.use(groupId(1));
  expect(invitersTo(invitations, 1)).toEqual([]);
});

test('a false invitation to a group does not replace a genuine one', () => {
  const invitations = opened(address('c'));
  for (const from of ['c', 'a', 'b']) invitations.keep(invitation(1, address(from)));
  invitations.keep(invitation(2, address('b')));
  expect(invitersTo(invitations, 1)).toEqual([address('c'), address('b'), address('a')]);
});

test('ten thousand invitations of a stranger replace only their own', () => {
  const invitations = opened();
  invitations.keep(invitation(0, address('a')));
  for (let group = 1; group <= 10_000; group++) invitations.keep(invitation(group, address('b')));
  expect(invitersTo(invitations, 0)).toEqual([address('a')]);
  expect(invitations.all(NOW)).toHaveLength(11);
});

test('ten thousand strangers do not displace an invitation by a known person', () => {
  const invitations = opened(address('a'));
  for (let group = 0; group < 10; group++) invitations.keep(invitation(group, address('a')));
  for (let stranger = 1; stranger <= 10_000; stranger++)
    invitations.keep(invitation(0, `0x${stranger.toString(16).padStart(40, '0')}`));
  expect(invitations.all(NOW)).toHaveLength(200);
  expect(Array.from({ length: 10 }, (_, group) => invitersTo(invitations, group)[0])).toEqual(
    Array(10).fill(address('a')),
  );
});

test('strangers with few invitations are not displaced by one with many', () => {
  const invitations = opened();
  invitations.keep(invitation(0, address('a')));
  for (let stranger = 1; stranger <= 30; stranger++)
    for (let group = 1; group <= 10; group++)
      invitations.keep(invitation(group, `0x${stranger.toString(16).padStart(40, '0')}`));
  expect(invitersTo(invitations, 0)).toEqual([address('a')]);
});
