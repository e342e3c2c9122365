/** Reported departures from a group, with their author. */
import { expect, test } from 'vitest';
import { memberDepartures } from '../../../../src/messaging/groups/departures.ts';
import type { PastEntry } from '../../../../src/protocol/roster/history.ts';
import { emptyRoster, type RosterState } from '../../../../src/protocol/roster/state.ts';

const member = { list: 1, since: 1, joins: [], departed: null, removed: false, signed: 1 };

function state(epoch: number, members: string[]): RosterState {
  return {
    ...emptyRoster('group'),
    epoch,
    people: Object.fromEntries(members.map((each) => [each, member])),
  };
}

function entry(epoch: number, by: string, removed?: string[]): PastEntry {
  const kind = removed ? ('change' as const) : ('leave' as const);
  const body = {
    epoch,
    issued: '2026-03-04T12:00:00.000Z',
    by,
    kind,
    ...(removed && { remove: removed }),
  };
  return { body, hash: String(epoch), deviceId: 'device' };
}

const all = ['ann', 'ben', 'cat', 'dan'];

test('each departure has the signer of its entry, in the order of the entries', () => {
  const past = [entry(5, 'dan'), entry(4, 'ann', ['cat', 'ben'])];
  expect(memberDepartures(state(3, all), state(5, ['ann']), past)).toEqual([
    { address: 'cat', by: 'ann' },
    { address: 'ben', by: 'ann' },
    { address: 'dan', by: 'dan' },
  ]);
});

test('omits returned members, and names no one for forgotten entries', () => {
  const past = [entry(6, 'cat'), entry(4, 'ann', ['cat'])];
  expect(memberDepartures(state(3, all), state(7, ['ann', 'cat', 'dan']), past)).toEqual([
    { address: 'ben', by: null },
  ]);
});

test('reads no entry without departures, and no earlier ones', () => {
  function* unread(): Generator<PastEntry> {
    yield entry(2, 'ben');
    throw new Error('read too far');
  }
  expect(memberDepartures(state(2, all), state(9, all), unread())).toEqual([]);
  expect(memberDepartures(state(2, all), state(3, ['ann', 'cat', 'dan']), unread())).toEqual([
    { address: 'ben', by: null },
  ]);
});
