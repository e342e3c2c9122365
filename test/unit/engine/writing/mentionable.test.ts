import { expect, test } from 'vitest';
import type { StoredPerson } from '../../../../src/engine/cache/conversations.ts';
import { findMentionable } from '../../../../src/engine/writing/mentionable.ts';

const person = (
  handle: string,
  displayName: string | null = null,
  nickname: string | null = null,
): StoredPerson => ({
  address: `0x${handle}`,
  ...{ handle, displayName, nickname, handleVerified: false, pictureId: null },
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

test('finds all without a text: recent authors, the others by name, and oneself', () => {
  expect(found('', ['dana', 'robin', 'zoe'])).toEqual(['dana', 'zoe', 'ann', 'k_2', 'joanna', 'robin']);
});

test('puts prefix matches of name or nickname before other matches', () => {
  expect(found('an')).toEqual(['ann', 'k_2', 'zoe', 'dana', 'joanna']);
});

test('puts the last author first', () => {
  expect(found('an', ['joanna', 'ann'])).toEqual(['ann', 'joanna', 'k_2', 'zoe', 'dana']);
});

test.each([
  ['ZOE', ['zoe']],
  ['umit', ['k_2']],
  ['ann ar', ['ann']],
  ['k_', ['k_2']],
  ['nobody', []],
])('"%s" finds %j, without accents and letter case', (typed, handles) => {
  expect(found(typed)).toEqual(handles);
});
