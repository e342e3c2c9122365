import { expect, test } from 'vitest';
import { MAX_NAME, toLabel } from '../../../src/protocol/label.ts';
import { Label } from '../../../src/protocol/primitives.ts';

test.each([
  ['an override of the direction', 'Ann\u202enoitartsinimdA', 'AnnnoitartsinimdA'],
  ['an isolate that is not closed', '\u2067Ann', 'Ann'],
  ['spaces without width', 'A\u200bn\u2060n\ufeff', 'Ann'],
  ['a joiner between letters that do not join', 'A\u200dn\u200cn', 'Ann'],
  ['a filler that looks like nothing', '\u3164Ann\uffa0', 'Ann'],
  ['a soft hyphen', 'An\u00adn', 'Ann'],
  ['line breaks and tabs', ' Ann\n\tLee ', 'Ann Lee'],
  ['half a character', 'Ann\ud83d', 'Ann'],
  ['nothing that is seen', '\u200b\u202e \u2060', ''],
])('a name loses %s', (_what, given, shown) => {
  expect(toLabel(given)).toBe(shown);
});

test.each(['👩‍👩‍👧', 'می‌خواهم', 'क्‍ष', 'Ann Lee', 'שלום', '❤️‍🔥'])('keeps %s', (name) => {
  expect(toLabel(name)).toBe(name);
  expect(Label.safeParse(name).success).toBe(true);
});

test('cuts a too long name between characters', () => {
  expect(toLabel('😀'.repeat(200))).toBe('😀'.repeat(MAX_NAME));
});

test.each(['Ann\u202e', 'A\u200bnn', '\u3164'])('refuses the name %j at a relay', (name) => {
  expect(Label.safeParse(name).success).toBe(false);
});
