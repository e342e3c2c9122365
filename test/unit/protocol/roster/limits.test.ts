/** Very large groups. Their states are given, because signing 50,000 entries in a test would be too slow. */
import { expect, test } from 'vitest';
import { foldRoster } from '../../../../src/protocol/roster/fold.ts';
import { MAX_UNINVITED } from '../../../../src/protocol/roster/limits.ts';
import { judgeAdmission } from '../../../../src/protocol/roster/post.ts';
import type { RosterPerson, RosterState } from '../../../../src/protocol/roster/state.ts';
import { type Action, contextOf, DAY, RosterChain, rosterFixture } from '../../../support/rosters.ts';

const [ann, ben, cleo] = [
  rosterFixture('ann', 0x60),
  rosterFixture('ben', 0x64),
  rosterFixture('cleo', 0x68),
];
if (!ann || !ben || !cleo) throw new Error('three people were made');
const people = [ann, ben, cleo];
const JOIN: Action = { kind: 'join' };

/** An open group of ann's in a given state. */
function openGroup(change: Partial<RosterState> = {}): RosterChain {
  const chain = new RosterChain(people, ann).add(ann, { kind: 'change', join: 'open' });
  return Object.assign(chain, { state: { ...chain.state, ...change } });
}

const endOf = (chain: RosterChain, who = ben, action: Action = JOIN) =>
  chain.fold(chain.make(who, action)).end;
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

test('a group accepts 5,000 members', () => {
  const member: RosterPerson = { list: 1, since: 3, joins: [], departed: null, removed: false, signed: 3 };
  const others = (count: number): Record<string, RosterPerson> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [address(index), member]));
  const { people: founders } = openGroup().state;
  const groupOf = (count: number) =>
    openGroup({ people: { ...founders, ...others(count - 1) }, memberCount: count });
  expect(endOf(groupOf(4_999))).toBeNull();
  expect(endOf(groupOf(5_000))).toEqual({ end: 'refused', reason: 'too_many_members' });
  const full = groupOf(5_000);
  full.add(ann, { kind: 'change', remove: [address(7), address(8)] });
  expect([full.state.memberCount, endOf(full)]).toEqual([4_998, null]);
});

test('requires a ticket for joins after 40,000 entries and ends the chain after 50,000', () => {
  const after = (epoch: number) => openGroup({ epoch });
  const withTicket = (chain: RosterChain): Action => ({ kind: 'join', ticket: chain.ticket(ann, ben) });
  expect(endOf(after(39_999))).toBeNull();
  expect(endOf(after(40_000))).toEqual({ end: 'refused', reason: 'ticket_needed' });
  expect(endOf(after(40_000), ben, withTicket(after(40_000)))).toBeNull();
  expect(endOf(after(49_999), ann, { kind: 'leave' })).toBeNull();
  for (const action of [{ kind: 'leave' }, { kind: 'change' }] as const) {
    expect(endOf(after(50_000), ann, action)).toEqual({ end: 'refused', reason: 'group_ended' });
  }
});

test('forgets the earliest of 5,000 uninvited addresses and voids tickets of their age', () => {
  const chain = openGroup({ join: 'invite' });
  const early = chain.ticket(ann, ben, { at: chain.state.issued + 1 });
  const times = Array.from({ length: MAX_UNINVITED }, (_, index) => [
    address(index),
    chain.state.issued + (index < 3 ? 1 : 2),
  ]);
  chain.state = { ...chain.state, issued: chain.state.issued + 2, uninvited: Object.fromEntries(times) };
  const late = chain.ticket(ann, cleo);
  expect(endOf(chain, ben, { kind: 'join', ticket: early })).toBeNull();

  chain.add(ann, { kind: 'change', uninvite: [address(MAX_UNINVITED)] });
  expect(Object.keys(chain.state.uninvited)).toHaveLength(MAX_UNINVITED - 2);
  expect(chain.state.uninvited).not.toHaveProperty(address(0));
  expect(chain.state.uninvited).toHaveProperty(address(MAX_UNINVITED));
  expect(endOf(chain, ben, { kind: 'join', ticket: early })).toEqual({
    end: 'refused',
    reason: 'ticket_void',
  });
  expect(endOf(chain, cleo, { kind: 'join', ticket: late })).toBeNull();
});

test('forgets addresses uninvited at one time together', () => {
  const chain = openGroup({ join: 'invite' });
  const at = chain.state.issued;
  const times = Array.from({ length: MAX_UNINVITED }, (_, index) => [address(index), at]);
  chain.state = { ...chain.state, uninvited: Object.fromEntries(times) };
  chain.add(ann, { kind: 'change', uninvite: [address(MAX_UNINVITED)] }, { at });
  expect([chain.state.uninvited, chain.state.ticketsAfter]).toEqual([{}, at]);
});

test('the stored state of a group with every kind of change stays small', () => {
  const chain = openGroup();
  for (let times = 0; times < 60; times++) {
    const at = chain.state.issued + DAY / 4;
    chain.add(ben, JOIN, { at }).add(ben, { kind: 'leave' }, { at });
  }
  expect(chain.state.people[ben.address]?.joins).toHaveLength(4);
  expect(JSON.stringify(chain.state).length).toBeLessThan(2_000);
});

test('folding a page does not change the initial state', () => {
  const chain = openGroup();
  const before = JSON.stringify(chain.state);
  const page = [chain.make(ben, JOIN)];
  const folded = foldRoster(chain.state, page, contextOf(people, chain.state.issued + DAY));
  expect(folded.state.memberCount).toBe(2);
  expect(JSON.stringify(chain.state)).toBe(before);
});

test('the relay allows reading to people who could join', () => {
  const chain = openGroup();
  const context = contextOf(people, chain.state.issued + 1_000);
  const judge = (state: Partial<RosterState>, proof: Parameters<typeof judgeAdmission>[2]) =>
    judgeAdmission({ ...chain.state, ...state }, ben.address, proof, context);
  const refused = (reason: string) => ({ end: 'refused', reason });
  expect(judge({}, {})).toBeNull();
  expect(judge({ join: 'invite' }, {})).toEqual(refused('proof_needed'));
  expect(judge({ join: 'invite' }, { passwordMatches: true })).toEqual(refused('proof_needed'));
  expect(judge({ join: 'password' }, {})).toEqual(refused('proof_needed'));
  expect(judge({ join: 'password' }, { passwordMatches: false })).toEqual(refused('wrong_password'));
  expect(judge({ join: 'password' }, { passwordMatches: true })).toBeNull();
  expect(judge({ join: 'invite' }, { ticket: chain.ticket(ann, ben) })).toBeNull();
  const ahead = chain.ticket(ann, ben, { at: context.now + 5 * 60_000 });
  expect(judge({ join: 'invite' }, { ticket: ahead })).toBeNull();
  const farAhead = chain.ticket(ann, ben, { at: context.now + 5 * 60_000 + 1 });
  expect(judge({ join: 'invite' }, { ticket: farAhead })).toEqual(refused('ticket_not_yet'));
  expect(judge({ epoch: 40_000 }, {})).toEqual(refused('ticket_needed'));
  expect(judgeAdmission({ ...chain.state, join: 'invite' }, ann.address, {}, context)).toBeNull();
});
