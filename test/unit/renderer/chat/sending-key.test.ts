import { expect, test } from 'vitest';
import { isSendingKey } from '../../../../src/renderer/chat/sending-key.ts';

const enter = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false };

test('sends with Enter alone only with that setting', () => {
  expect(isSendingKey(enter, 'enter')).toBe(true);
  expect(isSendingKey(enter, 'mod-enter')).toBe(false);
});

test.each(['enter', 'mod-enter'] as const)('sends with Ctrl and Command under %s', (sendWith) => {
  expect(isSendingKey({ ...enter, ctrlKey: true }, sendWith)).toBe(true);
  expect(isSendingKey({ ...enter, metaKey: true }, sendWith)).toBe(true);
});

test.each([
  { shiftKey: true },
  { shiftKey: true, ctrlKey: true },
  { isComposing: true },
  { isComposing: true, ctrlKey: true },
  { key: 'a', ctrlKey: true },
])('never sends with %j', (change) => {
  expect(isSendingKey({ ...enter, ...change }, 'enter')).toBe(false);
  expect(isSendingKey({ ...enter, ...change }, 'mod-enter')).toBe(false);
});
