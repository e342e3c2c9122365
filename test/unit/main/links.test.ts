import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkIn, parseLink } from '../../../src/main/links.ts';
import { anyString } from '../../support/any-string.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';

const address = `0x${'aB'.repeat(20)}`;

test('C7: a link to a contact is an address', () => {
  expect(parseLink(`waxwing:contact/${address}`)).toEqual({ kind: 'contact', address });
});

test.each(['waxwing:i/AwQF_-', `waxwing:i/AwQF.inv_${'x'.repeat(43)}`])('%s is an invite link', (text) => {
  expect(parseLink(text)).toEqual({ kind: 'invite', text });
});

test.each([
  'waxwing:i/',
  'waxwing:i/AwQF --data=x',
  'waxwing:i/AwQF"',
  'waxwing:i/AwQF\n',
  'waxwing:i/../../AwQF',
  'waxwing://i/AwQF',
  `waxwing:i/${'A'.repeat(2_048)}`,
  'waxwing:',
  'waxwing:contact/',
  `waxwing:contact/${address}0`,
  `waxwing:contact/${address}?send=hello`,
  `waxwing:contact/${address}#x`,
  `waxwing:contact/${address}/`,
  `waxwing:contact/${address}\n`,
  `waxwing://contact/${address}`,
  `WAXWING:contact/${address}`,
  `waxwing:contact/${address.slice(0, -1)}g`,
  'waxwing:link/ABCD-EFGH',
  'waxwing:group/x',
  `https://example.org/#waxwing:contact/${address}`,
  `waxwing:contact/${'%20'.repeat(1_000)}`,
])('C7: %s asks for nothing', (text) => {
  expect(parseLink(text)).toBeNull();
});

describe('C7, V5: arguments from outside', () => {
  test('finds a link among other arguments', () => {
    const link = `waxwing:contact/${address}`;
    expect(linkIn(['/usr/bin/waxwing', '--flag', link])).toEqual({ kind: 'contact', address });
    expect(linkIn([])).toBeNull();
  });

  test('a link cannot set a switch, and two links are ignored', () => {
    const link = `waxwing:contact/${address}`;
    for (const evil of ['--gpu-launcher=x', '--renderer-cmd-prefix=x', '--data=x', '--relay=http://evil']) {
      expect(linkIn([`${link} ${evil}`])).toBeNull();
      expect(linkIn([`${link}" ${evil}`])).toBeNull();
      expect(linkIn([evil])).toBeNull();
    }
    expect(linkIn([link, link])).toBeNull();
  });

  test('any texts return a whole address or nothing', { timeout: LONG_TEST_LIMIT }, () => {
    const piece = fc.oneof(
      anyString(),
      fc.constantFrom('waxwing:', 'contact/', 'i/', address, '--data=', '\0', '%00', '..', '\\', '"', ' '),
    );
    const argument = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.constant(`waxwing:contact/${address}`),
    );
    let links = 0;
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 5 }), (args) => {
        const link = linkIn(args);
        if (link === null) return;
        links++;
        if (link.kind === 'invite') {
          expect(link.text).toMatch(/^waxwing:i\/[\w.-]{1,2038}$/);
          expect(args).toContain(link.text);
          return;
        }
        expect(link.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
        expect(args).toContain(`waxwing:contact/${link.address}`);
      }),
      { numRuns: runs({ quick: 5_000, all: 200_000, nightly: 200_000 }) },
    );
    // Otherwise nothing was compared.
    expect(links).toBeGreaterThan(0);
  });
});
