/** Equal names in groups are compared once, until one of them or the group changes. */
import { expect, test, vi } from 'vitest';
import { GroupNames } from '../../../../src/engine/cache/group-names.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';
import { RosterChain } from '../../../support/rosters.ts';

const { chain, people } = groupOf(3);
const [own = '', ann = '', ben = ''] = people.map(({ address }) => address);
const sam = { address: ben, handle: 'sam', displayName: 'Sam' };

function open() {
  const account = openAccount(own, () => WRITTEN);
  const { contacts, groups, groupNames } = account.context;
  for (const [address, handle, displayName] of [
    [ann, 'ann', 'Ann'],
    [ben, 'ben', 'Ben'],
  ] as const) {
    contacts.ensure(address, WRITTEN);
    contacts.saveProfile({ address, handle, displayName, verified: false });
  }
  const group = groups.advance(chain.state, [], own);
  const reads = vi.spyOn(contacts, 'profiles');
  return { account, group, reads, hasNamesake: () => groupNames.hasNamesakeIn(group)(sam) };
}

test('names that did not change are read once', async () => {
  const { account, reads, hasNamesake } = open();
  await using _ = account;
  expect([hasNamesake(), hasNamesake(), hasNamesake()]).toEqual([false, false, false]);
  expect(reads).toHaveBeenCalledOnce();
});

test('a new display name, the name of a profile and a nickname are noticed, and so is their end', async () => {
  const { account, hasNamesake } = open();
  await using _ = account;
  const { contacts, faces, own: registers } = account.context;
  const seen = [hasNamesake()];
  contacts.saveProfile({ address: ann, handle: 'ann', displayName: 'Sam', verified: false });
  seen.push(hasNamesake());
  faces.put(ann, {
    name: 'Anna',
    about: null,
    picture: null,
    fileId: null,
    sentAt: '2026-11-20T20:00:00.000Z',
    id: 'AAAAAAAAAAAAAAAAAAAAAA',
    sender: ann,
  });
  seen.push(hasNamesake());
  registers.mark('nickname', ann, 'Sam');
  seen.push(hasNamesake());
  registers.mark('nickname', ann, null);
  seen.push(hasNamesake());
  expect(seen).toEqual([false, true, false, true, false]);
});

test('names of a transaction that fails are not remembered', async () => {
  const { account, hasNamesake } = open();
  await using _ = account;
  const { context } = account;
  const rename = (displayName: string) =>
    context.contacts.saveProfile({ address: ann, handle: 'ann', displayName, verified: false });
  const seen: boolean[] = [];
  expect(() =>
    context.transaction(() => {
      rename('Sam');
      seen.push(hasNamesake());
      throw new Error('the disk is full');
    }),
  ).toThrow('the disk is full');
  rename('Anna');
  expect([...seen, hasNamesake()]).toEqual([true, false]);
});

/** Groups of the owner alone. */
const smallGroups = (account: ReturnType<typeof open>['account'], count: number) =>
  Array.from({ length: count }, (_, nonce) => {
    const [owner] = people;
    if (!owner) throw new Error('the group has an owner');
    return account.context.groups.advance(new RosterChain([owner], owner, 'Small', nonce).state, [], own);
  });

test('the names of many small groups are read once: the chat list needs all of them', async () => {
  const { account, reads } = open();
  await using _ = account;
  const groups = smallGroups(account, 40);
  for (const group of [...groups, ...groups]) account.context.groupNames.hasNamesakeIn(group)(sam);
  expect(reads).toHaveBeenCalledTimes(groups.length);
});

test('the number of names in memory is bounded: the group that was compared first is read again', async () => {
  const { account, reads } = open();
  await using _ = account;
  account.db.exec('DROP TABLE temp.name_changes');
  for (let index = 0; index < 9; index++) account.db.exec(`DROP TRIGGER temp.name_change_${index}`);
  const names = new GroupNames(account.db, account.context.contacts, 2);
  const [first, second, third] = smallGroups(account, 3);
  if (!first || !second || !third) throw new Error('there are three groups');
  for (const group of [first, second, second, third, third, second]) names.hasNamesakeIn(group)(sam);
  expect(reads).toHaveBeenCalledTimes(3);
  names.hasNamesakeIn(first)(sam);
  expect(reads).toHaveBeenCalledTimes(4);
});
