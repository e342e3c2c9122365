import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Token, tokenize } from '../../../src/base/markdown/markdown.ts';
import { plainText, textWithoutMarks } from '../../../src/base/markdown/words.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';
import { StepCounter } from '../../support/steps.ts';

const text = (value: string): Token => ({ kind: 'text', text: value });

describe('tokenize', () => {
  test('keeps plain text and its newlines', () => {
    expect(tokenize('one\n two  three\n\n')).toEqual([text('one\n two  three\n\n')]);
  });

  test('parses bold, italic and code', () => {
    expect(tokenize('a **b** *c* _d_ `e`')).toEqual([
      text('a '),
      { kind: 'bold', children: [text('b')] },
      text(' '),
      { kind: 'italic', children: [text('c')] },
      text(' '),
      { kind: 'italic', children: [text('d')] },
      text(' '),
      { kind: 'code', text: 'e' },
    ]);
  });

  test('nests italic in bold', () => {
    expect(tokenize('**a *b***')).toEqual([
      { kind: 'bold', children: [text('a '), { kind: 'italic', children: [text('b')] }] },
    ]);
  });

  test('parses three backticks over several lines as a block of code', () => {
    expect(tokenize('See\n```\nlet a = `b`;\nc\n```\nthere')).toEqual([
      text('See\n'),
      { kind: 'code-block', language: '', text: 'let a = `b`;\nc' },
      text('there'),
    ]);
    expect(tokenize('```c++\n  a;\n```')).toEqual([{ kind: 'code-block', language: 'c++', text: '  a;' }]);
    expect(tokenize('```two words\nb```')).toEqual([
      { kind: 'code-block', language: '', text: 'two words\nb' },
    ]);
    expect(tokenize('```on one line```')).toEqual([{ kind: 'code', text: 'on one line' }]);
  });

  test('parses strikethrough, and quotes of several lines with marks in them', () => {
    expect(tokenize('~~a *b*~~ ~c~')).toEqual([
      { kind: 'strikethrough', children: [text('a '), { kind: 'italic', children: [text('b')] }] },
      text(' ~c~'),
    ]);
    expect(tokenize('See\n> one\n>> **two**\nthree')).toEqual([
      text('See\n'),
      {
        kind: 'quote',
        children: [text('one\n'), { kind: 'quote', children: [{ kind: 'bold', children: [text('two')] }] }],
      },
      text('three'),
    ]);
  });

  test('parses nested lists, each number as written', () => {
    const item = (number: number | null, ...children: Token[]): Token => ({ kind: 'item', number, children });
    expect(tokenize('- a\n  - b\n* c\n2. d\n7) e\nf')).toEqual([
      {
        kind: 'list',
        isNumbered: false,
        children: [
          item(null, text('a'), { kind: 'list', isNumbered: false, children: [item(null, text('b'))] }),
          item(null, text('c')),
        ],
      },
      { kind: 'list', isNumbered: true, children: [item(2, text('d')), item(7, text('e'))] },
      text('f'),
    ]);
  });

  test.each(['>:(', '>_<', '>word', '>1'])('does not parse %j as a quote', (face) => {
    expect(tokenize(`${face}\n>> ${face}`)).toEqual([
      text(`${face}\n`),
      { kind: 'quote', children: [{ kind: 'quote', children: [text(face)] }] },
    ]);
  });

  test('parses no list in code, and nested quotes to a limited depth', () => {
    expect(tokenize('```\n- a\n> b\n```')).toEqual([{ kind: 'code-block', language: '', text: '- a\n> b' }]);
    const deep = (tokens: readonly Token[]): number =>
      Math.max(0, ...tokens.map((token) => ('children' in token ? 1 + deep(token.children) : 0)));
    expect(deep(tokenize('>'.repeat(10_000)))).toBeLessThan(8);
    const stairs = Array.from({ length: 12 }, (_, step) => `${' '.repeat(step)}- a`).join('\n');
    expect(deep(tokenize(stairs))).toBeLessThanOrEqual(8);
  });

  test('converts lists and quotes to plain text', () => {
    expect(textWithoutMarks('Buy:\n- **milk**\n  1. fresh\n- tea\n> now\nBye')).toBe(
      'Buy:\n• milk\n  1. fresh\n• tea\nnow\nBye',
    );
    expect(plainText('- ~~a~~\n- b')).toBe('• a • b');
  });

  test('a text has the same words after a line with marks: one without marks is not parsed', () => {
    const unit = fc.constantFrom('*', '_', '~', '`', '>', '•', '-', '+', '1', '.', ')', ' ', '\n', 'a');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (source) => {
        expect(textWithoutMarks(`\`b\`\n${source}`)).toBe(`b\n${textWithoutMarks(source)}`);
      }),
      { numRuns: runs({ quick: 2_000, all: 20_000, nightly: 500_000 }) },
    );
  });

  test.each([
    '-5 degrees',
    '- ',
    '1.5 times',
    'a > b',
    'a - b',
    '~~ not struck ~~',
    '2 * 3 * 4',
    'snake_case_name',
    '5*3*2',
    '** not bold **',
    '*',
    '****',
    'a *b\nc* d',
    '`unclosed',
  ])('leaves %j alone', (source) => {
    expect(tokenize(source)).toEqual([text(source)]);
  });

  test.each(['https://example.org/a?b=c', 'https://example.org', 'mailto:robin@example.org'])(
    'creates a link of %s whose text is its address',
    (link) => {
      const [token] = tokenize(link);
      expect(token).toEqual({ kind: 'link', text: link, href: new URL(link).href });
    },
  );

  test.each([
    ['See https://example.org/a.', 'https://example.org/a'],
    ['(https://example.org/a)', 'https://example.org/a'],
    ['https://example.org/a_(b)', 'https://example.org/a_(b)'],
    ['**https://example.org/a**', 'https://example.org/a'],
    ['https://example.org/a?!', 'https://example.org/a'],
  ])('finds where the link in %s ends', (source, link) => {
    expect(links(tokenize(source))).toEqual([link]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'xhttps://example.org',
    'http://example.org',
    'https://bank.example@evil.example/',
    'https://name:password@example.org/',
    'https://',
    'mailto:robin@example.org?attach=/etc/passwd',
    'mailto:robin@example.org?subject=a&%41ttachment=b',
    '[good](javascript:alert(1))',
  ])('C8, V2: makes no link of %s', (source) => {
    expect(links(tokenize(source))).toEqual([]);
  });

  test('C8, V2: never shows one address and opens another', () => {
    const tokens = tokenize('[https://bank.example](https://evil.example)');
    for (const token of flat(tokens)) {
      if (token.kind === 'link') expect(token.href.startsWith(token.text)).toBe(true);
    }
  });

  test('keeps every letter of any message', () => {
    const marks = fc.constantFrom(
      '~~',
      '> ',
      '- ',
      '1. ',
      '  ',
      '*',
      '**',
      '_',
      '`',
      '```',
      ' ',
      '\n',
      'a',
      'https://x.example',
      '(',
      ')',
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        const source = parts.join('');
        const letters = (value: string) => value.replace(/[^a-z:/()]/g, '');
        const shown = flat(tokenize(source))
          .map((token) => ('language' in token ? token.language : '') + ('text' in token ? token.text : ''))
          .join('');
        expect(letters(shown)).toBe(letters(source));
      }),
    );
  });

  test('creates no link of a too long address', () => {
    const long = `https://example.org/${'a'.repeat(2100)}`;
    expect(tokenize(`${long} https://example.org/b`)).toEqual([
      text(`${long} `),
      { kind: 'link', text: 'https://example.org/b', href: 'https://example.org/b' },
    ]);
  });
});

describe('one message does not freeze the window', () => {
  /** Texts that slow down a parser with lookahead or backtracking at every mark. */
  const nasties = [
    ...['*', '_', '**', '*a ', '_a ', '**a ', '**a*', '*a _b **c __d ', '*a\n', '**_a ', 'a*'],
    ...[
      '~',
      '~~',
      '~~a ',
      '>',
      '> ',
      '>\n',
      '>*a\n',
      '- a\n',
      '  - a\n',
      '- a\n    - b\n',
      '1. a\n- b\n',
      ' ',
      ' \n',
      '- ',
    ],
    ...['`', '``', '`a', '``a` ', '```a`` ', '```\n', '`\n'],
    ...['https://', 'http://%', '(https://a.example', 'mailto:', '-https://[', '-mailto:@', 'https://x@x-'],
    '-https://[)))',
    `${'-https://['.repeat(100)}${')'.repeat(1100)}`,
    `${'-https://['.repeat(20)}${')'.repeat(1900)} `,
    `https://a.example${')'.repeat(2000)} `,
    `${'('.repeat(1000)}https://a.example${')'.repeat(1000)}\n`,
    `*${'-https://['.repeat(90)}${'_'.repeat(1000)}* `,
  ];
  const prose =
    'Words as people write them, **some** of them _marked_, and https://example.org/a now and then.\n';
  const repeated = (part: string, length: number) =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length);

  const counter = new StepCounter(
    new URL('../../../src/base/markdown/markdown.ts', import.meta.url),
    'tokenize',
  );
  afterAll(() => counter[Symbol.asyncDispose]());

  /** In characters: longer than the reach of any mark. */
  const LENGTH = 2 ** 13;
  let usual: number;
  beforeAll(async () => {
    usual = await counter.count(repeated(prose, LENGTH));
  });

  test('needs the same number of steps each time, about one for each character', async () => {
    const again = await counter.count(repeated(prose, LENGTH));
    // V8 counts a few blocks less once it has optimized the code, at an unpredictable time.
    expect(Math.abs(again / usual - 1)).toBeLessThan(0.01);
    expect(usual).toBeGreaterThan(LENGTH);
    expect(usual).toBeLessThan(100 * LENGTH);
  });

  test.each(nasties.map((part) => [part.slice(0, 30), part]))(
    'takes steps in proportion to the length of repeated %j, about as many as for prose',
    async (_name, part) => {
      const once = await counter.count(repeated(part, LENGTH));
      const twice = await counter.count(repeated(part, 2 * LENGTH));
      const four = await counter.count(repeated(part, 4 * LENGTH));
      // Would be four and sixteen times, if every mark searched to the end of the text.
      expect(twice / once).toBeLessThan(2.5);
      expect(four / once).toBeLessThan(5);
      expect(once).toBeLessThan(30 * usual);
    },
  );

  test(
    'needs about as many steps for any repetition as for prose of that length',
    async () => {
      const marks = fc.constantFrom(
        ...['*', '**', '_', '__', '`', '```', ' ', '\n', 'a', '(', ')', '[', '-', '.'],
        ...['https://', 'https://[', 'mailto:', ')'.repeat(700), '('.repeat(700), '-https://['.repeat(50)],
      );
      await fc.assert(
        fc.asyncProperty(fc.array(marks, { minLength: 1, maxLength: 12 }), async (parts) => {
          expect(await counter.count(repeated(parts.join(''), LENGTH))).toBeLessThan(30 * usual);
        }),
        { numRuns: runs({ quick: 20, all: 60, nightly: 5_000 }) },
      );
    },
    LONG_TEST_LIMIT,
  );
});

describe('plainText', () => {
  test('drops the marks and puts everything on one line', () => {
    expect(plainText('See **this *one***:\n\n`code`  and https://example.org')).toBe(
      'See this one: code and https://example.org',
    );
  });

  test('reads a message only up to the requested length', () => {
    expect(plainText('a'.repeat(1000), 20)).toHaveLength(20);
  });

  test('shows no marks of a code block that is longer than the requested length', () => {
    expect(plainText(`See\n\`\`\`js\n${'let a;\n'.repeat(100)}\`\`\``, 30)).toMatch(/^See let a; let a;/);
  });

  test.each([
    ['> ```js\n> let a; let a;', '```js let a; l'],
    ['````\nlet a; let a; let a;', '```` let a; let'],
    ['```\nlet a; let a;\n```\nb', 'let a; let a;'],
  ])('adds no marks to the beginning of %j', (source, shown) => {
    expect(plainText(source, 20)).toMatch(new RegExp(`^${shown}[^\`]*$`));
  });
});

function flat(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => ('children' in token ? flat(token.children) : [token]));
}

function links(tokens: Token[]): string[] {
  return flat(tokens).flatMap((token) => (token.kind === 'link' ? [token.text] : []));
}
