import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  deriveLink,
  formatLinkCode,
  LinkCodeError,
  LinkOpenError,
  MAX_LINK_BYTES,
  openLink,
  parseLinkCode,
  sealLink,
} from '../../../src/protocol/link.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

const vectors = readVectors<{
  codes: { secret: string; code: string; id: string; key: string }[];
  alsoRead: string[];
  badCodes: { why: string; code: string }[];
  link: { code: string; content: { relay: string; secret: string }; sealed: string };
  badLinks: { why: string; sealed: string }[];
}>('waxwing/links.json');
const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 });
const contents = fc.record({
  relay: fc.webUrl({ size: 'small' }),
  secret: fc.string({ minLength: 1, maxLength: 60 }),
});

test('every published code is read, and the broken ones are refused', () => {
  expect(vectors.codes).toHaveLength(3);
  for (const { secret, code } of vectors.codes) expect(hex(parseLinkCode(code))).toBe(secret);
  const meant = hex(parseLinkCode(vectors.link.code));
  for (const code of vectors.alsoRead) expect(hex(parseLinkCode(code)), code).toBe(meant);
  for (const { why, code } of vectors.badCodes) {
    expect(() => parseLinkCode(code), why).toThrow(LinkCodeError);
  }
});

test('the published link opens, and the broken ones do not', () => {
  const secret = parseLinkCode(vectors.link.code);
  expect(openLink(secret, bytes(vectors.link.sealed))).toEqual(vectors.link.content);
  expect(vectors.badLinks).toHaveLength(5);
  for (const { why, sealed } of vectors.badLinks) {
    expect(() => openLink(secret, bytes(sealed)), why).toThrow(LinkOpenError);
  }
});

test('a code has 28 characters in groups of four, none of which looks like another', () => {
  fc.assert(
    fc.property(secrets, (secret) => {
      expect(formatLinkCode(secret)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
    }),
  );
});

test('every code leads back to its secret, in whatever case and with whatever between', () => {
  fc.assert(
    fc.property(secrets, fc.boolean(), fc.constantFrom('', ' ', '-', '–', '\n'), (secret, small, between) => {
      const code = formatLinkCode(secret).replaceAll('-', between);
      expect(parseLinkCode(small ? code.toLowerCase() : code)).toEqual(secret);
    }),
  );
});

test('of codes with one character changed, hardly any is taken for a code', () => {
  const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const code = vectors.link.code.replaceAll('-', '');
  let taken = 0;
  for (const [place, right] of [...code].entries()) {
    for (const wrong of characters.replace(right, '')) {
      try {
        parseLinkCode(code.slice(0, place) + wrong + code.slice(place + 1));
        taken++;
      } catch (error) {
        expect(error).toBeInstanceOf(LinkCodeError);
      }
    }
  }
  expect(taken).toBeLessThanOrEqual(3);
});

test('what is sealed opens under its own code alone, has one length, and fits into what a relay takes', () => {
  fc.assert(
    fc.property(secrets, secrets, contents, (secret, other, content) => {
      const sealed = sealLink(secret, content);
      expect(sealed).toHaveLength(796);
      expect(sealed.length).toBeLessThanOrEqual(MAX_LINK_BYTES);
      expect(openLink(secret, sealed)).toEqual(content);
      fc.pre(hex(secret) !== hex(other));
      expect(() => openLink(other, sealed)).toThrow(LinkOpenError);
      expect(deriveLink(secret).id).not.toBe(deriveLink(other).id);
    }),
    { numRuns: 30 },
  );
});

test('the longest recovery phrase at the longest host fits; what does not fit is refused', () => {
  const phrase = Array.from({ length: 24 }, () => 'resemble').join(' ');
  const secret = new Uint8Array(16);
  const relay = `https://${'a'.repeat(253)}:65535`;
  expect(openLink(secret, sealLink(secret, { relay, secret: phrase }))).toEqual({
    relay,
    secret: phrase,
  });
  expect(() => sealLink(secret, { relay, secret: 'x'.repeat(700) })).toThrow(RangeError);
});
