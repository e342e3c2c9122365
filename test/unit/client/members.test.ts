import { expect, test } from 'vitest';
import { Journal } from '../../../src/client/identity/journal.ts';
import { GroupMembers } from '../../../src/client/members.ts';
import { membersHash } from '../../../src/protocol/members-hash.ts';
import type { GroupView } from '../../../src/protocol/schemas/groups.ts';

const [OWN, ANN, BEN] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];

/** What a relay shows of a group; only the members are looked at here. */
function viewOf(members: string[], id = 'builds'): GroupView {
  return {
    id,
    name: 'Builds',
    description: '',
    verified: false,
    memberCount: members.length,
    hasPassword: false,
    creator: OWN,
    createdAt: '2026-11-20T20:00:00.000Z',
    members,
    memberDeviceKeys: {},
    memberDevices: {},
    memberProfiles: {},
    membersHash: membersHash(members),
  };
}

test('a roster that does not fit its hash, or is without the program, is not believed', () => {
  const members = new GroupMembers(new Journal(null, 0));
  expect(() => members.judge({ ...viewOf([OWN, ANN]), members: [OWN] }, OWN)).toThrow(/its own hash/);
  expect(() => members.judge(viewOf([ANN]), OWN)).toThrow(/without you/);
});

test('no more than a thousand groups are remembered, and none is forgotten for another', () => {
  const members = new GroupMembers(new Journal(null, 0));
  for (let n = 0; n < 1_000; n++) members.judge(viewOf([OWN, ANN], `g${n}`), OWN);
  expect(() => members.judge(viewOf([OWN], 'one more'), OWN)).toThrow(/no room for another/);
  expect(members.judge(viewOf([OWN], 'g0'), OWN).believed).toEqual([OWN]);
  expect(members.judge(viewOf([OWN, ANN], 'g0'), OWN).unconfirmed).toEqual([ANN]);
});

test('whom another own device has left out of its list is no member, unless that list is from before', () => {
  const members = new GroupMembers(new Journal(null, 0));
  members.judge(viewOf([OWN, ANN, BEN]), OWN);
  const named = membersHash([OWN, ANN]);
  members.noteOwnList('builds', named, Date.now() - 60_000);
  expect(members.isUnconfirmed('builds', BEN)).toBe(false);
  members.noteOwnList('builds', named, Date.now() + 11 * 60_000);
  expect(members.isUnconfirmed('builds', BEN)).toBe(true);
  expect(members.judge(viewOf([OWN, ANN, BEN]), OWN).unconfirmed).toEqual([BEN]);
});
