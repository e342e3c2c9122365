/** The delivery of an own message in a group never goes back when its members change. */
import { expect, test } from 'vitest';
import type { StoredConversation } from '../../../../src/engine/cache/conversations.ts';
import type { StoredReceipt } from '../../../../src/engine/cache/receipts.ts';
import type { Context } from '../../../../src/engine/context.ts';
import { deliveriesOf } from '../../../../src/engine/views/deliveries.ts';
import type { MessageBody } from '../../../../src/messaging/sending/outgoing.ts';
import type { RosterState } from '../../../../src/protocol/roster/state.ts';
import { RosterChain, rosterFixture } from '../../../support/rosters.ts';

const DEVICE = 'device';
const people = ['ann', 'ben', 'cat'].map((name, index) => rosterFixture(name, 0x10 * (index + 1)));
const [ann, ben, cat] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];

/** Ann's group with Ben and Cat. */
const newChain = () =>
  new RosterChain(people, ann)
    .add(ann, { kind: 'change', join: 'open' })
    .add(ben, { kind: 'join' })
    .add(cat, { kind: 'join' });

/** A receipt of a person for the first message of Ann's device. */
function receipt(address: string, isRead: boolean): StoredReceipt {
  const all = [[1, 1]] as const;
  return { address, deviceId: DEVICE, reported: { delivered: all, read: isRead ? all : [] } };
}

const parts = (state: RosterState, receipts: StoredReceipt[]) =>
  deliveriesOf(
    {
      receiptSettings: { delivered: true, read: true },
      groups: { get: () => ({ state }) },
      receipts: { of: () => receipts },
    } as unknown as Context,
    { id: 1, partner: { kind: 'group', groupId: 1 } } as unknown as StoredConversation,
    ann.address,
  );

/** Ann's first message, written at this epoch. */
const messageAt = (epoch: number) => ({
  state: 'sent',
  sender: ann.address,
  deviceId: DEVICE,
  isDeleted: false,
  body: { seq: 1, groupId: 'g', roster: { epoch } } as unknown as MessageBody,
});

test('a message that all members received stays delivered after all of them left', () => {
  const chain = newChain();
  const message = messageAt(chain.state.epoch);
  const receipts = [receipt(ben.address, true), receipt(cat.address, false)];
  expect(parts(chain.state, receipts).of(message)).toBe('delivered');
  chain.add(cat, { kind: 'leave' });
  expect(parts(chain.state, receipts).of(message)).toBe('read');
  chain.add(ben, { kind: 'leave' });
  expect(parts(chain.state, receipts).of(message)).toBe('read');
  expect([...(parts(chain.state, receipts).byPerson(message) ?? [])]).toEqual([[ben.address, 'read']]);
  // A new membership does not change it.
  chain.add(ben, { kind: 'join' });
  expect(parts(chain.state, receipts).of(message)).toBe('read');
});

test('a message without receipts stays sent after all members left', () => {
  const chain = newChain();
  const message = messageAt(chain.state.epoch);
  chain.add(cat, { kind: 'leave' }).add(ben, { kind: 'leave' });
  expect(parts(chain.state, []).of(message)).toBe('none');
});

test('a delivered message stays delivered when the group is too large for receipts', () => {
  const { state } = newChain();
  const message = messageAt(state.epoch);
  const receipts = [receipt(ben.address, false), receipt(cat.address, false)];
  const large = { ...state, memberCount: 21 };
  expect(parts(large, receipts).of(message)).toBe('delivered');
  expect(parts(large, receipts.slice(1)).of(message)).toBe('none');
});

test('a group that is too large for receipts lists the recipients of a message with receipts only', () => {
  const { state } = newChain();
  const message = messageAt(state.epoch);
  const large = { ...state, memberCount: 21 };
  const byPerson = (...receipts: StoredReceipt[]) => parts(large, receipts).byPerson(message);
  expect([...(byPerson(receipt(ben.address, true), receipt(cat.address, false)) ?? [])]).toEqual([
    [ben.address, 'read'],
    [cat.address, 'delivered'],
  ]);
  expect([...(byPerson(receipt(ben.address, false)) ?? [])]).toEqual([
    [ben.address, 'delivered'],
    [cat.address, 'none'],
  ]);
  expect(byPerson()).toBeNull();
  const later = { ...message, body: { ...message.body, seq: 2 } };
  expect(parts(large, [receipt(ben.address, true)]).byPerson(later)).toBeNull();
});
