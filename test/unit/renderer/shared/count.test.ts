import { expect, test } from 'vitest';
import { badgeCount } from '../../../../src/renderer/shared/count.ts';

test('a badge stops at three digits', () => {
  expect(badgeCount(999)).toBe('999');
  expect(badgeCount(1000)).toBe('999+');
});
