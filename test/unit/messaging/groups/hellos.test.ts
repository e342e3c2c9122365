import { expect, test } from 'vitest';
import type { RememberedGroup } from '../../../../src/messaging/groups/chain-memory.ts';
import { type GroupHelloParts, GroupHellos } from '../../../../src/messaging/groups/hellos.ts';
import { RosterChain, rosterFixture } from '../../../support/rosters.ts';

const ann = rosterFixture('ann', 0x10);

/** Number of members that forward a proof after all have received it. */
function handedOnBy(members: number): number {
  const { state, entries } = new RosterChain([ann], ann);
  const group = { state: { ...state, memberCount: members } } as RememberedGroup;
  let posts = 0;
  for (let member = 0; member < members; member++) {
    const parts: Partial<GroupHelloParts<RememberedGroup>> = {
      random: () => member / members,
      post: async () => posts++,
    };
    const [entry] = entries;
    if (entry) new GroupHellos(parts as GroupHelloParts<RememberedGroup>).passOn(group, entry);
  }
  return posts;
}

test('all of a few members, and some of many, pass on a proof of a split', () => {
  expect(handedOnBy(5)).toBe(5);
  expect(handedOnBy(5_000)).toBe(20);
});

test('no hello is planned after the close', () => {
  const { state, groupId } = new RosterChain([ann], ann);
  const planned: (() => void)[] = [];
  const hellos = new GroupHellos({
    sending: { author: { address: ann.address }, now: () => 0 },
    people: { relationOf: () => 'accepted' },
    random: () => 0,
    later: (_: number, call: () => void) => {
      planned.push(call);
      return () => undefined;
    },
  } as unknown as GroupHelloParts<RememberedGroup>);
  const group = { groupId, state } as RememberedGroup;
  hellos.requestEntry(group, 'before');
  expect(planned).toHaveLength(1);
  hellos.close();
  hellos.requestEntry(group, 'after');
  hellos.answer(group, 'after', { epoch: 1, hash: '' });
  expect(planned).toHaveLength(1);
});
