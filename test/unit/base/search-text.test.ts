import { expect, test } from 'vitest';
import { placesOf, toSearchText } from '../../../src/base/search-text.ts';

test.each([
  ['Zoë Straße', 'zoe strasse'],
  ['ÇAĞRI İstanbul ışık', 'cagri istanbul isik'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['ὀδυσσεύς', 'οδυσσευσ'],
  ['Ёлка', 'елка'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد مـحـمـد', 'محمد محمد'],
  ['ＡＢＣ ①', 'abc 1'],
  ['❤️', '❤'],
  ['STRAẞE', 'strasse'],
  ['Łódź Đà Nẵng København', 'lodz da nang kobenhavn'],
  ['ŒUVRE Ærø', 'oeuvre aero'],
  ['Don’t', "don't"],
  ['pass\u200dword', 'password'],
  ['pass\u3164word', 'password'],
  ['क्\u200dष', 'क्ष'],
  ['👩🏽\u200d❤️\u200d👩', '👩🏽\u200d❤\u200d👩'],
  ['tab\tline\nend', 'tab line end'],
])('%s is compared as %s', (text, expected) => {
  expect(toSearchText(text)).toBe(expected);
});

test.each([
  ['ที่', 'ท'],
  ['が', 'か'],
  ['हिन्दी', 'हनद'],
])('the marks of %s are kept: it differs from %s', (text, other) => {
  expect(toSearchText(text)).not.toBe(toSearchText(other));
});

test('a flag is not found between the letters of two others', () => {
  const [text, spain, sweden] = ['🇩🇪🇸🇪', '🇪🇸', '🇸🇪'].map(toSearchText);
  expect(text).not.toContain(spain);
  expect(text).toContain(sweden);
});

test('a mark is at a whole flag, and at a letter with an invisible joiner', () => {
  const text = '🇩🇪🇸🇪 pass\u200dword';
  const terms = ['🇸🇪', 'sw'].map(toSearchText);
  const marked = placesOf(text, terms, 10).map(({ from, to }) => text.slice(from, to));
  expect(marked).toEqual(['🇸🇪', 's\u200dw']);
});

test('marks are at the written characters', () => {
  const text = 'Café Straße, CAFÉ 👍🏽 café';
  const marked = placesOf(text, ['cafe', 'strasse', '👍'], 10).map(({ from, to }) => text.slice(from, to));
  expect(marked).toEqual(['Café', 'Straße', 'CAFÉ', '👍', 'café']);
});

test('a mark is at a character with its marks', () => {
  const text = 'ｶﾞｷﾞ ที่';
  const marked = placesOf(text, ['ガ', 'ท'], 10).map(({ from, to }) => text.slice(from, to));
  expect(marked).toEqual(['ｶﾞ', 'ที่']);
});

test('marks that overlap are one', () => {
  expect(placesOf('banana, ban', ['ana', 'ban', 'anan'], 10)).toEqual([
    { from: 0, to: 5 },
    { from: 8, to: 11 },
  ]);
});
