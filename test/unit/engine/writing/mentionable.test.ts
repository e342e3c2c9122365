import { expect, test } from 'vitest';
import type { StoredPerson } from '../../../../src/engine/cache/conversations.ts';
import { findMentionable } from '../../../../src/engine/writing/mentionable.ts';

const person = (
  handle: string,
  displayName: string | null = null,
  nickname: string | null = null,
): StoredPerson => ({
  address: `0x${handle}`,
  ...{ handle, displayName, nickname, handleVerified: false },
});
const ME = person('robin', 'Robin Reed');
const PEOPLE = [
  ME,
  person('ann', 'Ann Archer'),
  person('zoe', 'Zoë Anders'),
  person('joanna', 'Joanna Kerr'),
  person('k_2', 'Ümit Demir', 'Anton'),
  person('dana', 'Dana Diaz'),
];

const found = (typed: string, last: string[] = []) =>
  findMentionable(PEOPLE, typed, { last: last.map((handle) => `0x${handle}`), own: ME.address }).map(
    ({ handle }) => handle,
  );

test('without a text all are found: who wrote last, the others by name, and oneself', () => {
  expect(found('', ['dana', 'robin', 'zoe'])).toEqual(['dana', 'zoe', 'ann', 'k_2', 'joanna', 'robin']);
});

test('those whose name or nickname begins so come before those who have it inside', () => {
  expect(found('an')).toEqual(['ann', 'k_2', 'zoe', 'dana', 'joanna']);
});

test('who wrote last comes first', () => {
  expect(found('an', ['joanna', 'ann'])).toEqual(['ann', 'joanna', 'k_2', 'zoe', 'dana']);
});

test.each([
  ['ZOE', ['zoe']],
  ['umit', ['k_2']],
  ['ann ar', ['ann']],
  ['k_', ['k_2']],
  ['nobody', []],
])('"%s" finds %j, whatever the accents and the case', (typed, handles) => {
  expect(found(typed)).toEqual(handles);
});
