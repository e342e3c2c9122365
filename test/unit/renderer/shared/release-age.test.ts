import { expect, test } from 'vitest';
import { isOldRelease } from '../../../../src/renderer/shared/release-age.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12);

test('half a year without a newer release counts as withheld updates', () => {
  expect(isOldRelease(NOW - 179 * DAY, NOW)).toBe(false);
  expect(isOldRelease(NOW - 180 * DAY, NOW)).toBe(true);
  // The computer's clock is behind.
  expect(isOldRelease(NOW + DAY, NOW)).toBe(false);
});
