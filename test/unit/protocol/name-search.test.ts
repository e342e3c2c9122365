import { expect, test } from 'vitest';
import { namePartsOf, partThatFits, toGroupSearch, toNameText } from '../../../src/protocol/name-search.ts';

test.each([
  ['Zoë  Müller', 'zoe muller'],
  ['O’Brien-Straße', 'o brien strasse'],
  ['\u202eevil\u200b\u0000', 'evil'],
  ['ΟΔΥΣΣΕΥΣ', toNameText('Οδυσσεύς')],
  ['ﷺ'.repeat(64), toNameText('ﷺ'.repeat(5)).slice(0, 80).trim()],
  ['🚀 bot', '🚀 bot'],
  ['\ud800', ''],
  ['!?', ''],
])('%j is looked for as %j', (name, text) => {
  expect(toNameText(name)).toBe(text);
  expect(toNameText(text), 'again').toBe(text);
});

test('the searched name of a group has a limit, and each of 80 letters counts', () => {
  const longest = '한'.repeat(80);
  expect(toGroupSearch(longest)).toBe(longest.normalize('NFKD'));
  // The longest key of an index in PostgreSQL has 2,704 bytes.
  expect(Buffer.byteLength(toGroupSearch('ﷺ'.repeat(80)))).toBeLessThan(1_000);
  expect(toGroupSearch('C++ “Üben”')).toBe('c++ “uben”');
});

test('stores a name from each word on, within limits', () => {
  expect(namePartsOf('Ann van Dyk')).toEqual(['ann van dyk', 'van dyk', 'dyk']);
  expect(namePartsOf('')).toEqual([]);
  expect(namePartsOf('x '.repeat(32))).toHaveLength(8);
  expect(namePartsOf('ﷺ'.repeat(64)).every((part) => part.length <= 160)).toBe(true);
});

test('matches a text with the first word that has it as prefix', () => {
  expect(partThatFits('Ann Annson', 'ann')).toBe('ann annson');
  expect(partThatFits('Ann Annson', 'anns')).toBe('annson');
  expect(partThatFits('Ann Annson', 'son')).toBeUndefined();
});
