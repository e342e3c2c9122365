import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterEdit,
  joinedTexts,
  trimmed,
  type Written,
  withMention,
} from '../../../../../src/renderer/chat/writing/written.ts';
import { runs } from '../../../../support/runs.ts';

const ANN = `0x${'a'.repeat(40)}`;

/** A text with mentions, marked by brackets. */
function written(marked: string): Written {
  const mentions: Written['mentions'][number][] = [];
  let text = '';
  for (const part of marked.split(/(?=\[)|(?<=\])/)) {
    const words = part.replace(/[[\]]/g, '');
    if (part.startsWith('['))
      mentions.push({ from: text.length, to: text.length + words.length, address: ANN });
    text += words;
  }
  return { text, mentions };
}

test.each([
  ['typing before it', 'hi [@Ann]', 'oh hi @Ann', 2, 'oh hi [@Ann]'],
  ['typing right before it', '[@Ann]', 'a@Ann', 1, 'a[@Ann]'],
  ['typing right behind it', '[@Ann]', '@Anna', 5, '[@Ann]a'],
  ['typing inside', '[@Ann]', '@Aann', 3, '@Aann'],
  ['taking its last letter', '[@Ann] ', '@An ', 3, '@An '],
  ['taking all of it', 'a [@Ann] b', 'a  b', 2, 'a  b'],
  ['taking the same text before it', '@Ann[@Ann]', '@Ann', 0, '[@Ann]'],
  ['taking it, and not the same text before it', '@Ann[@Ann]', '@Ann', 4, '@Ann'],
  ['nothing, with the caret inside', '[@Ann]', '@Ann', 2, '[@Ann]'],
  ['what a caret says that does not fit', 'x [@Ann]', 'xy @Ann', 0, 'xy [@Ann]'],
])('%s', (_, before, text, caret, after) => {
  expect(afterEdit(written(before), text, caret)).toEqual(written(after));
});

test('mentions keep their words after any edit, and untouched ones their place', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '@', ' ', '😀'), maxLength: 6 });
  const texts = fc.array(
    fc.tuple(
      part,
      part.filter((each) => each !== ''),
    ),
    { maxLength: 4 },
  );
  const places = fc.tuple(fc.nat(40), fc.nat(12), part);
  fc.assert(
    fc.property(texts, part, fc.array(places, { maxLength: 6 }), (pieces, end, edits) => {
      let now = written(pieces.map(([before, name]) => `${before}[${name}]`).join('') + end);
      for (const [place, length, added] of edits) {
        const { text, mentions } = now;
        const from = Math.min(place, text.length);
        const to = Math.min(from + length, text.length);
        const next = afterEdit(now, text.slice(0, from) + added + text.slice(to), from + added.length);
        const moved = added.length - (to - from);
        for (const each of mentions.filter((one) => one.to <= from))
          expect(next.mentions).toContainEqual(each);
        for (const each of mentions.filter((one) => one.from >= to))
          expect(next.mentions).toContainEqual({ ...each, from: each.from + moved, to: each.to + moved });
        const words = (one: Written) => one.mentions.map((each) => one.text.slice(each.from, each.to));
        // In order, and without additional ones.
        const known = words(now);
        for (const each of words(next)) {
          expect(known).toContain(each);
          known.splice(0, known.indexOf(each) + 1);
        }
        next.mentions.reduce((last, each) => {
          expect(each.from).toBeGreaterThanOrEqual(last);
          return each.to;
        }, 0);
        now = next;
      }
    }),
    { numRuns: runs({ quick: 300, all: 2_000, nightly: 20_000 }) },
  );
});

test('a new mention replaces those that it overlaps', () => {
  const before = written('[@Ann] and [@Ben]');
  expect(withMention(before, { from: 9, to: 13, address: ANN }).mentions).toEqual([
    before.mentions[0],
    { from: 9, to: 13, address: ANN },
  ]);
});

test('trimming keeps mentions at their words', () => {
  expect(trimmed(written('\n  [@Ann], you? \n'))).toEqual(written('[@Ann], you?'));
  expect(trimmed(written('[ @Ann] '))).toEqual({ text: '@Ann', mentions: [] });
});

test('two texts are joined by a new line, with the mentions of both', () => {
  expect(joinedTexts(written('see [@Ann]'), written('and [@Bo] too'))).toEqual(
    written('see [@Ann]\nand [@Bo] too'),
  );
  expect(joinedTexts(written(''), written('[@Bo]'))).toEqual(written('[@Bo]'));
  expect(joinedTexts(written('[@Bo]'), written(''))).toEqual(written('[@Bo]'));
});
