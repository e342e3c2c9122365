import { expect, test } from 'vitest';
import { badgeCount, counted } from '../../../../src/renderer/shared/count.ts';

test('a count agrees with its noun', () => {
  expect(counted(1, 'message')).toBe('1 message');
  expect(counted(0, 'message')).toBe('0 messages');
  expect(counted(2, 'person', 'people')).toBe('2 people');
});

test('a badge stops at three digits', () => {
  expect(badgeCount(999)).toBe('999');
  expect(badgeCount(1000)).toBe('999+');
});
