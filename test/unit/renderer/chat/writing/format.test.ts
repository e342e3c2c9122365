import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  afterFormatting,
  type Format,
  formats,
  formatting,
  isFormatted,
} from '../../../../../src/renderer/chat/writing/format.ts';
import type { Selected } from '../../../../../src/renderer/chat/writing/format-shapes.ts';
import { runs } from '../../../../support/runs.ts';
import { StepCounter } from '../../../../support/steps.ts';

/** A text with its selection in brackets; a bar is the caret. */
function selected(marked: string): Selected {
  const text = marked.replace(/[[\]|]/g, '');
  const from = marked.search(/[[|]/);
  const to = marked.includes('|') ? from : marked.indexOf(']') - 1;
  return { text, from, to };
}

function shown({ text, from, to }: Selected): string {
  if (from === to) return `${text.slice(0, from)}|${text.slice(to)}`;
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

function formatted(before: Selected, format: Format): Selected {
  const found = formatting(before, format);
  if (!found) return before;
  const { text } = afterFormatting({ text: before.text, mentions: [] }, found.edits);
  return { text, from: found.from, to: found.to };
}

test.each<[Format, string, string]>([
  ['bold', 'a [word] here', 'a **[word]** here'],
  ['bold', 'a **[word]** here', 'a [word] here'],
  ['bold', 'a [**word**] here', 'a [word] here'],
  ['bold', 'a [__word__] here', 'a [word] here'],
  ['bold', '[ two words ]', ' **[two words]** '],
  ['bold', 'wo|rd', '**wo|rd**'],
  ['bold', '**wo|rd**', 'wo|rd'],
  ['bold', 'in wax[wing] now', 'in **[waxwing]** now'],
  ['bold', 'a |', 'a **|**'],
  ['bold', 'a **|**', 'a |'],
  ['bold', '**word|** on', '**word**| on'],
  ['bold', '**word|', '**word**|**'],
  ['bold', '[**a** b **c**]', '__[**a** b **c**]__'],
  ['bold', '_[word]_', '_**[word]**_'],
  ['bold', '**_[word]_**', '_[word]_'],
  ['bold', '[**_word_**]', '[_word_]'],
  ['bold', '*[word]*', '*__[word]__*'],
  ['italic', '***[word]***', '**[word]**'],
  ['italic', '[word]', '_[word]_'],
  ['italic', '*[word]*', '[word]'],
  ['italic', '**[word]**', '**_[word]_**'],
  ['strike', '[word]', '~~[word]~~'],
  ['strike', '~~[word]~~', '[word]'],
  ['bold', '[one\n\n> two\n- three ]', '**[one**\n\n> **two**\n- **three]** '],
  ['bold', '**[one**\n**two]**', '[one\ntwo]'],
  ['bold', '**[one**\ntwo]', '[**one**\n**two]**'],
  ['bold', '[  ]', '[  ]'],
  ['code', 'wax[wing]', 'wax`[wing]`'],
  ['code', '[a`b]', '``[a`b]``'],
  ['code', '``[a`b]``', '[a`b]'],
  ['code', '[``ab``]', '[ab]'],
  ['code', 'see [a\nb] now', '```\nsee [a\nb] now\n```'],
  ['code', '```\nsee [a\nb] now\n```', 'see [a\nb] now'],
  ['code', '[```js\na\nb\n```]', '[a\nb]'],
  ['quote', 'one\nt|wo', 'one\n> t|wo'],
  ['quote', '[one\n\ntwo]\nthree', '> [one\n> \n> two]\nthree'],
  ['quote', '> [one\n>\n> two]', '[one\n\ntwo]'],
  ['quote', '> [one\ntwo]', '> > [one\n> two]'],
  ['quote', '|', '> |'],
  ['list', '[one\n\n  two\n]three', '- [one\n\n  - two\n]three'],
  ['list', '- [one\n2. two]', '[one\ntwo]'],
  ['list', '- [one\ntwo]', '- [one\n- two]'],
  ['list', '|', '- |'],
  ['link', 'see [example.org/a] now', 'see [https://example.org/a] now'],
  ['link', 'see https://exam|ple.org', 'see exam|ple.org'],
  ['link', 'to ann@example.org|', 'to mailto:ann@example.org|'],
  ['link', 'to [mailto:ann@example.org]', 'to [ann@example.org]'],
  ['link', 'read [the page], please', 'read the page (https://|), please'],
  ['link', 'read the page (https://|), please', 'read the page|, please'],
  ['link', 'see |', 'see https://|'],
  ['link', 'see https://|', 'see |'],
])('%s: %s', (format, before, after) => {
  expect(shown(formatted(selected(before), format))).toBe(after);
});

test.each<[Format, string, boolean]>([
  ['bold', '**wo|rd**', true],
  ['bold', '**word|** on', true],
  ['bold', '_[word]_', false],
  ['italic', '***[word]***', true],
  ['bold', '**[one**\ntwo]', false],
  ['code', '```\n[a\nb]\n```', true],
  ['quote', '> [one\n> two]', true],
  ['quote', '> [one\ntwo]', false],
  ['list', '1. |one', true],
  ['link', 'https://exam|ple.org', true],
  ['link', 'exam|ple.org', false],
])('whether %s is on: %s', (format, text, isOn) => {
  expect(isFormatted(selected(text), format)).toBe(isOn);
});

/** Random texts of these characters, with a part selected: at characters only, or anywhere. */
function texts(characters: string): fc.Arbitrary<Selected> {
  const unit = fc.constantFrom(...characters);
  return fc.tuple(fc.string({ unit, maxLength: 24 }), fc.nat(60), fc.nat(60)).map(([text, one, other]) => {
    const places = [one, other].map((place) => place % (text.length + 1)).sort((a, b) => a - b);
    return { text, from: places[0] ?? 0, to: places[1] ?? 0 };
  });
}

/**
 * Without the marker of an item: if only some lines are items, the others become items, and the original ones are not
 * known later.
 */
const PLAIN = 'ab1 \n😀ב(!:';
const MARKS = 'ab *_~`>-😀.:/@';

test.each<[Format, string, string]>([
  ['bold', '[hello *world*]', '__[hello *world*]__'],
  ['bold', '[hello *world]*', '__[hello *world*]__'],
  ['bold', '*[hello* world]', '__[*hello* world]__'],
  ['bold', '[hello *world]', '**[hello *world]**'],
  ['bold', 'a `*aa|a_', 'a **[`*aaa_]**'],
  ['italic', '[__hello__ world]', '*[__hello__ world]*'],
])('a mark does not run into a stray one beside it: %s: %s', (format, before, after) => {
  const once = formatted(selected(before), format);
  expect(shown(once)).toBe(after);
  expect(isFormatted(once, format)).toBe(true);
});

test('formatting twice restores the text', () => {
  const format = fc.constantFrom(...formats);
  fc.assert(
    fc.property(fc.oneof(texts(PLAIN), texts(MARKS)), format, (before, format) => {
      const once = formatted(before, format);
      fc.pre(once.text.length > before.text.length);
      expect(formatted(once, format).text).toBe(before.text);
      expect(isFormatted(once, format) || format === 'link').toBe(true);
    }),
    { numRuns: runs({ quick: 500, all: 5_000, nightly: 50_000 }) },
  );
});

test('formatting keeps all words and characters', () => {
  const format = fc.constantFrom(...formats);
  const withoutMarks = (text: string) => text.replace(/[*_~`>\-\s]|https:\/\/|mailto:|[().:\d]/g, '');
  const isWhole = ({ text, from, to }: Selected) =>
    [text, text.slice(0, from), text.slice(from, to)].every((part) => part.isWellFormed());
  fc.assert(
    fc.property(
      fc.oneof(texts(`${PLAIN}*_~\`>-`), texts(MARKS)),
      fc.array(format, { minLength: 1, maxLength: 5 }),
      (before, all) => {
        let now = before;
        for (const each of all) {
          now = formatted(now, each);
          expect(isWhole(now) || now === before).toBe(true);
          expect(now.from <= now.to && now.to <= now.text.length && now.from >= 0).toBe(true);
        }
        expect(withoutMarks(now.text)).toBe(withoutMarks(before.text));
      },
    ),
    { numRuns: runs({ quick: 500, all: 5_000, nightly: 50_000 }) },
  );
});

test('mentions stay in formatted text and end where marks enter their name', () => {
  const address = `0x${'a'.repeat(40)}`;
  const mentions = [
    { from: 0, to: 4, address },
    { from: 9, to: 13, address },
  ];
  const text = '@Ann and @Ben';
  const after = (marked: Selected) => {
    const { edits } = formatting(marked, 'bold') ?? { edits: [] };
    const next = afterFormatting({ text, mentions }, edits);
    return [next.text, next.mentions.map(({ from, to }) => next.text.slice(from, to))];
  };
  expect(after({ text, from: 0, to: 13 })).toEqual(['**@Ann and @Ben**', ['@Ann', '@Ben']]);
  expect(after({ text, from: 5, to: 8 })).toEqual(['@Ann **and** @Ben', ['@Ann', '@Ben']]);
  expect(after({ text, from: 11, to: 12 })).toEqual(['@Ann and @**Ben**', ['@Ann']]);
});

const units = ['*', '`', '_a ', '> ', '- a\n', '**a** ', '```\n', 'a', 'a\n', ' a', '~~*_'];

test.each(units)('formats the longest text of repeated %j', (unit) => {
  const text = unit.repeat(65_536 / unit.length);
  expect(formatted({ text, from: 0, to: text.length }, 'bold').text.length).toBeGreaterThan(0);
});

describe('steps', () => {
  const counter = new StepCounter(
    new URL('../../../../support/formatting-steps.ts', import.meta.url),
    'formatAll',
    new URL('../../../../../src/renderer/chat/', import.meta.url),
  );
  afterAll(() => counter[Symbol.asyncDispose]());

  test.each(units)('grow in proportion to the length of repeated %j', async (unit) => {
    const once = await counter.count(unit.repeat(512 / unit.length));
    const four = await counter.count(unit.repeat(2_048 / unit.length));
    // Would be sixteen times, if every line or mark searched to the end of the text.
    expect(four / once).toBeLessThan(5);
    expect(four).toBeGreaterThan(2_048);
  });
});
