/** Reported changes of owner and admins, with their author. */
import { expect, test } from 'vitest';
import { roleChanges } from '../../../../src/messaging/groups/role-changes.ts';
import type { PastEntry } from '../../../../src/protocol/roster/history.ts';
import { emptyRoster, type RosterState } from '../../../../src/protocol/roster/state.ts';

const member = { list: 1, since: 1, joins: [], departed: null, removed: false, signed: 1 };

function state(epoch: number, creator: string | null, admins: string[], members: string[]): RosterState {
  const people = Object.fromEntries(members.map((each) => [each, member]));
  return { ...emptyRoster('group'), epoch, creator, admins, people };
}

function entry(epoch: number, by: string, roles: string[] = []): PastEntry {
  const body = { epoch, issued: '2026-03-04T12:00:00.000Z', by, kind: 'change' as const };
  return {
    body,
    hash: String(epoch),
    deviceId: 'device',
    ...(roles.length > 0 && { roles: roles.map((address) => ({ address, role: 'none' as const })) }),
  };
}

const all = ['ann', 'ben', 'cat', 'dan'];

test('reports each change with the signer of its last entry, even if several were read at once', () => {
  const past = [
    entry(6, 'ben', ['ben', 'cat']),
    entry(5, 'ann', ['dan']),
    entry(4, 'ann', ['ann', 'ben']),
    entry(3, 'ann', ['ben']),
  ];
  // Ann transfers to Ben and stays an admin, Ben to Cat; Dan is no longer an admin.
  expect(roleChanges(state(2, 'ann', ['dan'], all), state(6, 'cat', ['ann', 'ben'], all), past)).toEqual([
    { address: 'cat', role: 'creator', by: 'ben' },
    { address: 'ann', role: 'admin', by: 'ann' },
    { address: 'ben', role: 'admin', by: 'ben' },
    { address: 'dan', role: 'none', by: 'ann' },
  ]);
});

test('departed members and the previous owner have no own line', () => {
  const before = state(2, 'ann', ['dan'], all);
  expect(roleChanges(before, state(3, null, [], ['ben', 'cat']), [entry(3, 'ann', ['ann', 'dan'])])).toEqual(
    [],
  );
  expect(roleChanges(before, state(3, 'ben', ['dan'], all), [entry(3, 'ann', ['ann', 'ben'])])).toEqual([
    { address: 'ben', role: 'creator', by: 'ann' },
  ]);
});

test('reads no entry without changed roles, and no earlier ones', () => {
  const before = state(2, 'ann', [], all);
  function* unread(): Generator<PastEntry> {
    yield entry(2, 'ann', ['ben']);
    throw new Error('read too far');
  }
  expect(roleChanges(before, state(9, 'ann', [], all), unread())).toEqual([]);
  expect(roleChanges(before, state(3, 'ann', ['ben'], all), unread())).toEqual([
    { address: 'ben', role: 'admin', by: null },
  ]);
});
