import { describe, expect, test } from 'vitest';
import { passphraseFault, SHORTEST_PASSPHRASE } from '../../../src/base/passphrase-rule.ts';

const own = ['ann_baker', 'Ann Baker'];

const refused = {
  short: ['', 'sparrow', '🐦'.repeat(SHORTEST_PASSPHRASE - 1)],
  repeated: [
    'aaaaaaaa',
    ' '.repeat(20),
    'abcabcab',
    'sparrowsparrow',
    'жжжжжжжж',
    '1122334411',
    '٣'.repeat(9),
  ],
  sequence: [
    'abcdefgh',
    'hgfedcba',
    '12345678',
    '0987654321',
    'qwertyuiop',
    'QWERTZUIOP',
    'asdfghjkl1',
    'abcd1234',
  ],
  common: [
    'password',
    'Password1!',
    'P@ssw0rd123',
    'pa$$word2024',
    'iloveyou12',
    'Letmein-1',
    'ｐａｓｓｗｏｒｄ',
  ],
  own_name: [
    'ann_baker',
    'Ann Baker',
    'annbaker123',
    '@Ann.Baker!',
    'annbaker_77',
    'baker2024',
    'ann_bakerann_baker',
  ],
} as const;

describe.each(Object.entries(refused))('%s', (fault, passphrases) => {
  test.each(passphrases)('%s', (passphrase) => {
    expect(passphraseFault(passphrase, own)).toBe(fault);
  });
});

test.each([
  'sparrows',
  'correct horse',
  'plumage under a warm lamp',
  'my password is a long one',
  'Ann Baker likes to bake',
  'xk29-mmtq',
  'пароль вороны',
  '渡り鳥は夜に飛ぶのだ',
  '🐦🦉🦆🦅🐓🦜🦢🕊',
])('%s may be chosen', (passphrase) => {
  expect(passphraseFault(passphrase, own)).toBeNull();
});

test('unknown or very short names refuse nothing', () => {
  expect(passphraseFault('annbaker')).toBeNull();
  expect(passphraseFault('sparrows', ['s', '', 'a_'])).toBeNull();
});

test('checks only the beginning of a long text', () => {
  expect(passphraseFault('ab'.repeat(100_000))).toBe('repeated');
  expect(passphraseFault(`${'the bird sings '.repeat(1_000)}`)).toBeNull();
});
