import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../../../../src/base/markdown/markdown.ts';
import type { ShownToken } from '../../../../src/bridge/mention-tokens.ts';
import { shortened } from '../../../../src/renderer/chat/shortened.ts';

const textOf = (tokens: readonly ShownToken[]): string =>
  tokens.map((token) => ('children' in token ? textOf(token.children) : token.text)).join('');

const countOf = (tokens: readonly ShownToken[]): number =>
  tokens.reduce((count, token) => count + 1 + ('children' in token ? countOf(token.children) : 0), 0);

describe('shortened', () => {
  test.each(['', 'Hello', 'a'.repeat(3000), 'a\n'.repeat(40), '*a* '.repeat(75)])(
    'keeps a short message',
    (source) => {
      expect(shortened(tokenize(source))).toBeNull();
    },
  );

  test.each([
    ['letters', 'a'.repeat(3001)],
    ['lines', 'a\n'.repeat(41)],
    ['marks', '*a* '.repeat(200)],
    ['lines of code', `\`\`\`\n${'a\n'.repeat(60)}\`\`\``],
    ['bold letters', '**bold** '.repeat(2) + `**${'b'.repeat(1900)}** `.repeat(3)],
  ])('shows the beginning of many %s', (_what, source) => {
    const tokens = tokenize(source);
    const shown = shortened(tokens) ?? [];
    expect(textOf(shown).length).toBeGreaterThan(30);
    expect(textOf(tokens).startsWith(textOf(shown))).toBe(true);
  });

  test('bounds the elements, letters and lines of any message', () => {
    const parts = fc.constantFrom(
      'a',
      '\n',
      ' *a*',
      ' _b_',
      ' `c`',
      ' **d *e***',
      ' https://a.example/',
      'wörd ',
    );
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 9 }), (words) => {
        const tokens = tokenize(words.join('').repeat(4000));
        const shown = shortened(tokens);
        expect(shown).not.toBeNull();
        expect(textOf(tokens).startsWith(textOf(shown ?? []))).toBe(true);
        expect(countOf(shown ?? [])).toBeLessThanOrEqual(300);
        expect(textOf(shown ?? []).length).toBeLessThanOrEqual(3000);
        expect(textOf(shown ?? []).split('\n').length).toBeLessThanOrEqual(41);
      }),
      { numRuns: 50 },
    );
  });

  test('shows a complete link or none', () => {
    const link = `https://a.example/${'b'.repeat(100)}`;
    const shown = shortened(tokenize(`${'a'.repeat(2950)} ${link} c`)) ?? [];
    expect(shown).toEqual([{ kind: 'text', text: `${'a'.repeat(2950)} ` }]);
  });

  test('shows nothing of a text that starts at the limit', () => {
    const source = `${'a'.repeat(2981)} https://a.example/ ${'b'.repeat(20)}`;
    expect(textOf(shortened(tokenize(source)) ?? [])).toBe(source.slice(0, 3000));
  });

  test.each(['👩‍👩‍👧‍👦', 'é', '🇺🇳', '😀'])('does not cut %s into pieces', (character) => {
    for (let before = 0; before < character.length; before++) {
      const shown = textOf(shortened(tokenize('a'.repeat(before) + `${character} `.repeat(3001))) ?? []);
      expect(new Set(shown.slice(before).trim().split(' '))).toEqual(new Set([character]));
    }
  });

  test('cuts an endless character', () => {
    const shown = textOf(shortened(tokenize(`a${'\u0301'.repeat(20_000)}`)) ?? []);
    expect(shown).toHaveLength(3000);
  });
});
