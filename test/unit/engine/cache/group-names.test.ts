/** Equal names in groups are compared once, until one of them or the group changes. */
import { expect, test, vi } from 'vitest';
import { openAccount } from '../../../support/cached-account.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

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
