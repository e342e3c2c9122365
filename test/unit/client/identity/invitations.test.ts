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

function opened(): JournalInvitations {
  const invitations: JournalInvitations = new JournalInvitations((entry) => invitations.apply(entry));
  return invitations;
}

test('finds an invitation until it is used or expires', () => {
  const invitations = opened();
  invitations.keep(invitation(1, address('a')));
  expect(invitations.find(groupId(1), NOW)?.name).toBe('Herons');
  expect(invitations.find(groupId(1), NOW + 60_000)).toBeNull();
  invitations.use(groupId(1));
  expect(invitations.find(groupId(1), NOW)).toBeNull();
});

test('ten thousand invitations of a stranger replace only their own', () => {
  const invitations = opened();
  invitations.keep(invitation(0, address('a')));
  for (let group = 1; group <= 10_000; group++) invitations.keep(invitation(group, address('b')));
  expect(invitations.find(groupId(0), NOW)).not.toBeNull();
  expect(invitations.all(NOW)).toHaveLength(11);
});
