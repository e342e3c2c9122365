import { expect, test } from 'vitest';
import { namesakesIn } from '../../../src/base/person-name.ts';
import { wordsIn } from '../../../src/words/catalogues.ts';
import { distinctNameIn } from '../../../src/words/distinct-name.ts';

const words = wordsIn('en');
const person = (digit: string, handle: string | null, displayName: string | null) => ({
  address: `0x${digit.repeat(40)}`,
  handle,
  displayName,
});

test.each([
  ['sam', 'Sam', false, 'Sam'],
  ['sam', 'Sam', true, 'Sam (@sam)'],
  [null, 'Sam', true, 'Sam (0x1111…1111)'],
  ['sam', null, true, '@sam (0x1111…1111)'],
  [null, null, true, '0x1111…1111'],
  ['sam', 'You', false, 'You (@sam)'],
  ['sam', 'y\u00f3u\u200b', false, 'y\u00f3u\u200b (@sam)'],
  ['sam', 'Note to self', false, 'Note to self (@sam)'],
])(
  'the name of @%s with the display name %s and a namesake: %s',
  (handle, displayName, hasNamesake, shown) => {
    expect(distinctNameIn(words, person('1', handle, displayName), hasNamesake)).toBe(shown);
  },
);

test('people with names that look alike are found, and one person twice is not', () => {
  const [sam, other, handle, max] = [
    person('1', 'sam', 'Sam'),
    person('2', 'other', 's\u00e1m'),
    person('3', 'max', null),
    person('4', 'fourth', '@max'),
  ];
  const hasNamesake = namesakesIn([sam, other, handle, max, person('5', 'eve', 'Eve')]);
  expect([sam, other, handle, max].map(hasNamesake)).toEqual([true, true, true, true]);
  expect(namesakesIn([sam, sam])(sam)).toBe(false);
});

test.each([
  ['letter case', 'ANN ARCHER'],
  ['invisible characters', 'Ann\u200b Ar\u2060cher\u00ad'],
  ['a filler of Hangul', 'Ann Archer\u3164'],
  ['an empty cell of Braille', 'Ann Archer\u2800'],
  ['a vowel of Khmer without a form', 'An\u17b4n Archer'],
  ['a tag', 'Ann Archer\u{e0041}'],
  ['a mark of musical notation', 'Ann\u{1d173} Archer'],
  ['wide letters', '\uff21\uff4e\uff4e\u3000Archer'],
  ['mathematical letters', '\u{1d400}nn Archer'],
  ['another kind of space', 'Ann\u00a0Archer'],
  ['several spaces', 'Ann   Archer '],
])('two names that differ by %s are equal', (_, displayName) => {
  const ann = person('1', 'ann', 'Ann Archer');
  expect(namesakesIn([ann, person('2', 'other', displayName)])(ann)).toBe(true);
});
