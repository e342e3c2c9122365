import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Token, tokenize } from '../../../src/base/markdown/markdown.ts';
import { linkIn } from '../../../src/main/links.ts';
import { mayOpenOutside } from '../../../src/main/window.ts';
import { linkParts } from '../../../src/renderer/chat/link-parts.ts';
import { anyString, anyWebAddress } from '../../support/any-string.ts';
import { openWindow } from '../../support/connected-window.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';
import { hostileAddresses, webPlatformCases } from '../../support/url-corpus.ts';

const { contents, shell } = await openWindow();

/** Text passed to the system when a page opens an address; null for none. */
function openedBy(address: string): string | null {
  shell.opened.length = 0;
  expect(contents.open(address)).toBe('deny');
  expect(shell.opened.length).toBeLessThan(2);
  return shell.opened[0] ?? null;
}

function linksOf(tokens: Token[]): string[] {
  return tokens.flatMap((token) =>
    'children' in token ? linksOf(token.children) : token.kind === 'link' ? [token.href] : [],
  );
}

/** Checks the invariants for any text. Returns whether it was opened. */
function expectHarmless(text: string): boolean {
  const opened = openedBy(text);
  if (opened !== null) {
    expect(opened).toMatch(/^(?:https:\/\/[^@/?#\\]+\/|mailto:[^/?#]+@)[\x20-\x7e]*$/);
    // A parser drops these, so that the opened address differs from the visible one.
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(opened).not.toMatch(/^mailto:.*[?&](?:a|%61)ttach/i);
    expect(new URL(opened).href, 'the system reads it as we do').toBe(opened);
  }
  for (const href of linksOf(tokenize(text))) {
    const { before, name, after } = linkParts(href);
    expect(openedBy(href), 'what is shown in the question is what is opened').toBe(before + name + after);
  }
  expect(linkIn([text])).toBeNull();
  return opened !== null;
}

describe('C7, C8, V2, V5, V6: addresses opened outside', () => {
  test('opens only web and mail addresses among disguised ones, as they read', () => {
    const addresses = hostileAddresses();
    const opened = addresses.filter(expectHarmless);
    expect(addresses.length).toBeGreaterThan(10_000);
    expect(opened.length).toBeGreaterThan(50);
    const schemes = new Set(opened.map((address) => new URL(address).protocol));
    expect([...schemes].sort()).toEqual(['https:', 'mailto:']);
  });

  test('of any text', { timeout: LONG_TEST_LIMIT }, () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'https://',
        'mailto:',
        'file:',
        '//',
        '\\',
        '@',
        ':',
        '#',
        '?',
        '&',
        '%',
        '%00',
        '%2f',
        '..',
      ),
      fc.constantFrom(
        'example.org',
        'аpple.com',
        'attach=',
        'ann@example.org',
        '[::1]',
        '\t',
        '\n',
        ' ',
        '\u202e',
      ),
      anyString(8),
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      anyWebAddress('https', 'http'),
    );
    let opened = 0;
    fc.assert(
      fc.property(text, (address) => {
        if (expectHarmless(address)) opened++;
      }),
      { numRuns: runs({ quick: 2_000, all: 20_000, nightly: 200_000 }) },
    );
    expect(opened).toBeGreaterThan(100);
  });
});

const cases = webPlatformCases();

describe('C7, C8, V2, V5: the corpus of the Web Platform Tests', () => {
  // The corpus is not part of the repository.
  test.skipIf(cases === null)(
    'opens https and mailto as parsed by the corpus (WAXWING_URL_CORPUS names the file)',
    () => {
      let opened = 0;
      for (const { input, base, failure, href = '', protocol = '', username, password } of cases ?? []) {
        expectHarmless(input);
        if (base !== null) expectHarmless(href);
        // Node's parser may be older or newer than the corpus.
        if (URL.parse(input, base ?? undefined)?.href !== (failure ? undefined : href)) continue;
        if (failure) {
          if (base === null) expect([input, openedBy(input)]).toEqual([input, null]);
          continue;
        }
        const isLetter = /^mailto:[^/?#]+@/.test(href) && !/[?&]attach/i.test(href);
        const isSafe = protocol === 'https:' ? !username && !password : isLetter;
        // A page resolves an address before it opens it.
        expect([input, openedBy(href)]).toEqual([input, isSafe ? href : null]);
        if (base === null && !/\p{Cc}/u.test(input)) {
          expect([input, openedBy(input)]).toEqual([input, isSafe ? href : null]);
        }
        if (isSafe) opened++;
        expect(mayOpenOutside(href)).toBe(isSafe);
      }
      expect(cases?.length).toBeGreaterThan(800);
      expect(opened).toBeGreaterThan(10);
    },
  );
});
