import { expect, test } from 'vitest';
import { fileSize } from '../../../../src/renderer/shared/size.ts';

test('a size has the largest unit of which there is at least one', () => {
  const sizes = [0, 1, 12, 999, 1000, 1_240_000, 999_999, 48_000_000, 2_000_000_000, 3e15].map(fileSize);
  expect(sizes).toEqual([
    '0 bytes',
    '1 byte',
    '12 bytes',
    '999 bytes',
    '1 kB',
    '1.24 MB',
    '1 MB',
    '48 MB',
    '2 GB',
    '3,000,000 GB',
  ]);
});
