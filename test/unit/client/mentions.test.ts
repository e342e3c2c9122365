/** Mentions found in a text. */
import { expect, test } from 'vitest';
import { mentionsInText } from '../../../src/client/mentions.ts';

const BEN = `0x${'b'.repeat(40)}`;
const CAT = `0x${'c'.repeat(40)}`;

test('mentions someone at each separate occurrence of the words', () => {
  const text = 'é 👋 @ben, ask @benny or (@ben)';
  expect(mentionsInText(text, { '@ben': BEN })).toEqual([
    { from: 5, to: 9, address: BEN },
    { from: 26, to: 30, address: BEN },
  ]);
});

test('prefers the longer of overlapping words, in the order of the text', () => {
  const people = { Ben: BEN, 'Ben Okafor': CAT };
  expect(mentionsInText('Ben, and Ben Okafor', people)).toEqual([
    { from: 0, to: 3, address: BEN },
    { from: 9, to: 19, address: CAT },
  ]);
});

test('refuses missing words and invalid addresses', () => {
  expect(() => mentionsInText('hello', { '@ben': BEN })).toThrow(
    expect.objectContaining({ data: { code: 'mention_absent', parameters: { words: '@ben' } } }),
  );
  expect(() => mentionsInText('hello', { '': BEN })).toThrow();
  expect(() => mentionsInText('hello', { hello: '0x12' })).toThrow();
});

test('creates at most fifty mentions in one text', () => {
  expect(mentionsInText('@ben '.repeat(80), { '@ben': BEN })).toHaveLength(50);
});
