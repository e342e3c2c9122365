import { expect, test } from 'vitest';
import { columns, describeBytes, describeDuration } from '../../../src/cli/output.ts';

test('aligns cells without spaces at the end of lines', () => {
  expect(
    columns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b');
});

test.each<[number, string]>([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1.5 * 1024 ** 2, '1.5 MiB'],
  [2 * 1024 ** 5, '2048.0 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text);
});

test.each<[number, string]>([
  [59, '59 s'],
  [60, '1 min'],
  [3_600, '1 h 0 min'],
  [90_061, '1 d 1 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});
