/** Long texts are cut where it is least visible, without losing text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBlank } from '../../../src/base/invisible.ts';
import { textParts } from '../../../src/base/text-parts.ts';

/** Invisible characters, and the marks that end code. */
const isGap = (text: string) => isBlank(text.replaceAll('```', ''));
const bytes = (text: string) => Buffer.byteLength(text);
const texts = (text: string, most = 200) => textParts(text, most).map((part) => part.text);
const words = (count: number, word = 'seed') =>
  Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');

describe('the cut of a text', () => {
  test('a short text has no cut, and an invisible text has no parts', () => {
    expect(texts('short')).toEqual(['short']);
    expect(texts(' \n\u200b')).toEqual([]);
  });

  test('is between paragraphs, else lines, else words', () => {
    const [first, second] = [words(20), words(18)];
    expect(texts(`${first}\n\n${second}`)).toEqual([first, second]);
    expect(texts(`${first}\n${second}`)).toEqual([first, second]);
    const parts = texts(words(60));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join(' ')).toBe(words(60));
  });

  test('keeps the indentation of a line', () => {
    expect(texts(`${words(24)}\n    indented ${words(10)}`)[1]).toMatch(/^ {4}indented/);
  });

  test('is never inside a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';
    const parts = texts(family.repeat(40));
    expect(parts.join('')).toBe(family.repeat(40));
    for (const part of parts) expect(part.length % family.length).toBe(0);
  });

  test('is inside a grapheme only if that exceeds a part', () => {
    const tower = `a${'\u0301'.repeat(1000)}`;
    expect(texts(tower).join('')).toBe(tower);
  });

  test('closes code, and opens it again with its language', () => {
    const code = Array.from({ length: 40 }, (_, n) => `  line(${n});`).join('\n');
    const parts = texts(`Look:\n\`\`\`ts\n${code}\n\`\`\`\nIs that right?`);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(1)) expect(part).toMatch(/^```ts\n {2}line/);
    for (const part of parts) expect(part.split('```')).toHaveLength(3);
    const inside = parts.map((part) => part.split('```')[1]?.replace('ts\n', '').trimEnd());
    expect(inside.join('\n')).toBe(code);
    expect(parts.at(-1)).toMatch(/Is that right\?$/);
  });

  test('does not reopen code that ends at the cut', () => {
    const code = 'x'.repeat(180);
    const parts = texts(`\`\`\`\n${code}\n\`\`\`\nafter it ${words(10)}`);
    expect(parts[0]).toBe(`\`\`\`\n${code}\n\`\`\``);
    expect(parts[1]).toMatch(/^after it/);
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('\n', '\n\n', '```', '```ts\n', ' ', '@ann', '\ud83d', '漢字'.repeat(20)),
  );
  const any = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('').toWellFormed());

  test('is split into ordered parts within the limit, losing only blank space and code marks', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 200, max: 400 }), (text, most) => {
        const parts = textParts(text, most);
        let at = 0;
        for (const part of parts) {
          expect(bytes(part.text)).toBeLessThanOrEqual(most);
          expect(part.text.isWellFormed()).toBe(true);
          expect(part.from).toBeGreaterThanOrEqual(at);
          expect(part.text.startsWith(text.slice(part.from, part.to), part.lead)).toBe(true);
          expect(isGap(text.slice(at, part.from))).toBe(true);
          at = part.to;
        }
        expect(isGap(text.slice(at))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps each mention in one part', () => {
    const withMentions = fc.array(fc.tuple(any, fc.constant('@Ann Archer')), { maxLength: 8 });
    fc.assert(
      fc.property(withMentions, (pieces) => {
        let text = '';
        const mentions = pieces.map(([before, mention]) => {
          const from = text.length + before.length;
          text += before + mention;
          return { from, to: from + mention.length };
        });
        const parts = textParts(text, 200, mentions);
        for (const { from, to } of mentions) {
          expect(parts.some((part) => part.from <= from && to <= part.to)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
