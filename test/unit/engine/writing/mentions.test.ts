import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentionsThatCount, withTypedHandles } from '../../../../src/engine/writing/mentions.ts';
import { mentionsField, mentionsIn } from '../../../../src/messaging/contents/mentions.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const [ANN, BEN, STRANGER] = [address('a'), address('b'), address('c')];
const PEOPLE = [ANN, BEN];

test.each([
  [
    'one of a person in the chat, under an address in any case',
    [[0, 4, BEN.toUpperCase().replace('X', 'x')]],
    [[0, 4]],
  ],
  [
    'one of a stranger is left out',
    [
      [0, 4, STRANGER],
      [5, 9, ANN],
    ],
    [[5, 9]],
  ],
  [
    'of two that overlap the first counts',
    [
      [0, 4, BEN],
      [3, 9, ANN],
    ],
    [[0, 4]],
  ],
  [
    'of two in the wrong order the first counts',
    [
      [5, 9, ANN],
      [0, 4, BEN],
    ],
    [[5, 9]],
  ],
  [
    'an empty one, and one that ends before it begins',
    [
      [2, 2, BEN],
      [4, 2, ANN],
    ],
    [],
  ],
  ['one that ends behind the text', [[5, 13, ANN]], []],
  [
    'one that begins or ends inside of a character',
    [
      [10, 11, ANN],
      [11, 12, BEN],
    ],
    [],
  ],
] as const)('%s', (_, given, counts) => {
  const mentions = given.map(([from, to, who]) => ({ from, to, address: who }));
  const found = mentionsThatCount('@ben @ann 😀', mentions, PEOPLE);
  expect(found.map(({ from, to }) => [from, to])).toEqual(counts);
});

test('valid mentions match the text for others, for any input of the page', () => {
  const place = fc.integer({ min: 0, max: 40 });
  const mention = fc.record({ from: place, to: place, address: fc.constantFrom(ANN, BEN, STRANGER) });
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.array(mention, { maxLength: 50 }),
      (text, all) => {
        const counting = mentionsThatCount(text, all, PEOPLE);
        const { mentions = [] } = mentionsField(text, counting);
        expect(mentionsIn(text, mentions)).toEqual(counting);
      },
    ),
  );
});

const MEMBERS = [
  { address: ANN, handle: 'ann' },
  { address: BEN, handle: 'ben_b' },
  { address: STRANGER, handle: null },
];

test.each([
  ['@ann', ['@ann']],
  ['Hi @ann, and (@Ben_B)!', ['@ann', '@Ben_B']],
  ['**@ann** and _@ann_ and "@ann"', ['@ann', '@ann', '@ann']],
  ['\u4f60\u597d@ann', ['@ann']],
  ['@ann’s and @ann.', ['@ann', '@ann']],
  ['@anna, @an and @Annß', []],
  ['mail@ann, @ann@example.org and @ann.example', []],
  ['https://example.org/@ann', []],
  ['`@ann` and ```\n@ann\n``` and @ann', ['@ann']],
])('a whole handle of a member that is typed is a mention: %j', (text, expected) => {
  const found = withTypedHandles(text, [], MEMBERS);
  expect(found.map(({ from, to }) => text.slice(from, to))).toEqual(expected);
  for (const { from, to, address: who } of found)
    expect(who).toBe(/ann/i.test(text.slice(from, to)) ? ANN : BEN);
});

test('a typed handle never replaces a chosen mention, and an ambiguous one is ignored', () => {
  const chosen = { from: 0, to: 8, address: STRANGER };
  expect(withTypedHandles('@ann Lee and @ann', [chosen], MEMBERS)).toEqual([
    chosen,
    { from: 13, to: 17, address: ANN },
  ]);
  const twice = [...MEMBERS, { address: STRANGER, handle: 'ann' }];
  expect(withTypedHandles('@ann', [], twice)).toEqual([]);
});

test('limits mentions by typed handles to the room in a message', () => {
  expect(withTypedHandles('@ann '.repeat(60), [], MEMBERS)).toHaveLength(50);
});
