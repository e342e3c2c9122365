import { expect, test } from 'vitest';
import { ProgramGroups } from '../../../src/client/groups.ts';
import { Journal } from '../../../src/client/identity/journal.ts';
import { GroupDirectory } from '../../../src/messaging/groups/directory.ts';
import { RelayRefusal } from '../../../src/messaging/relay.ts';
import { KeyDirectory } from '../../../src/messaging/trust/directory.ts';
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
    join: 'open',
    creator: OWN,
    createdAt: '2026-11-20T20:00:00.000Z',
    members,
    memberDeviceKeys: {},
    memberDevices: {},
    memberProfiles: {},
    membersHash: membersHash(members),
  };
}

/** Groups of a program, and what a relay answers about them. */
function newGroups(canJoin = true) {
  const answers: (GroupView | Promise<GroupView> | RelayRefusal)[] = [];
  const journal = new Journal(null, 0);
  const groups = new GroupDirectory({
    source: {
      async group() {
        const answer = answers.shift();
        if (!answer) throw new Error('nobody expects this question');
        if (answer instanceof RelayRefusal) throw answer;
        return answer;
      },
    },
    keys: new KeyDirectory({
      source: { keys: async () => null, keyHistories: async () => [], pqKeys: async () => ({}) },
      memory: journal,
      now: () => Date.now(),
      own: null,
    }),
    memory: new ProgramGroups(journal, () => OWN),
    own: () => OWN,
    now: () => Date.now(),
    provesEarly: false,
    canJoin,
  });
  const show = async (view: GroupView) => {
    answers.push(view);
    return (await groups.seen(view.id, 0)).group;
  };
  return { answers, groups, journal, show };
}

test('a roster that does not fit its hash, or is without the program, is not believed', async () => {
  const { show } = newGroups();
  await expect(show({ ...viewOf([OWN, ANN]), members: [OWN] })).rejects.toThrow(/does not match the hash/);
  await expect(show(viewOf([ANN]))).rejects.toThrow(/without you/);
});

test('no more than a thousand groups are remembered, and none is forgotten for another', async () => {
  const { show, journal } = newGroups();
  for (let n = 0; n < 1_000; n++) await show(viewOf([OWN, ANN], `g${n}`));
  await expect(show(viewOf([OWN], 'one more'))).rejects.toThrow(/no room for another/);
  await show(viewOf([OWN], 'g0'));
  expect(journal.membersOf('g0')?.believed).toEqual([OWN]);
  expect((await show(viewOf([OWN, ANN], 'g0'))).unconfirmed).toEqual([ANN]);
});

test('whom another own device has left out of its list is no member, unless that list is from before', async () => {
  const { groups, show, answers } = newGroups();
  const members = viewOf([OWN, ANN, BEN]);
  const group = await show(members);
  const named = membersHash([OWN, ANN]);
  const by = { isOwn: true, freshFor: 0 };
  await groups.compare(group, named, { ...by, sentAt: Date.now() - 60_000 });
  expect(groups.isUnconfirmed(group, BEN)).toBe(false);
  answers.push(members);
  await groups.compare(group, named, { ...by, sentAt: Date.now() + 11 * 60_000 });
  expect(groups.isUnconfirmed(group, BEN)).toBe(true);
  expect((await show(members)).unconfirmed).toEqual([BEN]);
});

test('lists of members that nobody was shown, and that others name, make the relay not be asked', async () => {
  const { groups, show, answers } = newGroups();
  const members = viewOf([OWN, ANN]);
  const group = await show(members);
  answers.push(members);
  const hash = Buffer.alloc(32, 1).toString('base64url');
  await groups.compare(group, hash, { isOwn: false, sentAt: Date.now() + 11 * 60_000, freshFor: 0 });
  expect(answers).toEqual([members]);
});

test('what the relay says of a group is judged in the order in which it was asked, however late an answer comes', async () => {
  const { groups, answers } = newGroups();
  const late = Promise.withResolvers<GroupView>();
  answers.push(late.promise, viewOf([OWN, ANN, BEN]));
  const [first, second] = [groups.seen('builds', 0), groups.seen('builds', 0)];
  // The second question is not asked before the first is answered, so that no older answer comes after a newer one.
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toHaveLength(1);
  late.resolve(viewOf([OWN, ANN]));
  expect((await first).group.members).toEqual([OWN, ANN]);
  expect((await second).group).toMatchObject({ members: [OWN, ANN, BEN], unconfirmed: [] });
});

test('who left is heard with what they had written before, and marked', async () => {
  const { groups, show } = newGroups();
  await show(viewOf([OWN, ANN, BEN]));
  const group = await show(viewOf([OWN, ANN]));
  expect([groups.hears(group, BEN), groups.isUnconfirmed(group, BEN)]).toEqual([true, true]);
  expect([groups.hears(group, ANN), groups.isUnconfirmed(group, ANN)]).toEqual([true, false]);
});

test('the relay’s word that the program is no member ends it, until the program joins again', async () => {
  const { groups, show, answers, journal } = newGroups();
  await show(viewOf([OWN, ANN]));
  answers.push(new RelayRefusal(403, 'not_a_member', 'You are no member.'));
  await expect(groups.now('builds', 0)).rejects.toMatchObject({ code: 'not_a_member' });
  expect(journal.membersOf('builds')?.believed).toEqual([ANN]);
  expect(await show(viewOf([OWN, ANN]))).toMatchObject({ joined: false, unconfirmed: [OWN] });
  const join = async () => viewOf([OWN, ANN]);
  expect((await groups.answered('builds', join, true)).group).toMatchObject({
    joined: true,
    unconfirmed: [],
  });
});

test('a bot that cannot join goes on when the relay knows its group again', async () => {
  const { groups, show, answers } = newGroups(false);
  await show(viewOf([OWN, ANN]));
  answers.push(new RelayRefusal(404, 'not_found', 'There is no such group.'));
  await expect(groups.now('builds', 0)).rejects.toMatchObject({ code: 'not_found' });
  expect(await show(viewOf([OWN, ANN]))).toMatchObject({ joined: true, unconfirmed: [] });
});
