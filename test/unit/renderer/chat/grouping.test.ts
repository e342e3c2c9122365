import { describe, expect, test } from 'vitest';
import { arrange } from '../../../../src/renderer/chat/grouping.ts';
import { own, received } from './messages.ts';

describe('arrange', () => {
  test('groups neighbouring messages of one sender', () => {
    const rows = arrange([received(0), received(1), own(2), received(3)], null);
    expect(rows.map((row) => [row.startsGroup, row.endsGroup])).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  test('keeps the rows of unchanged messages when another one arrives', () => {
    const messages = [received(0), own(1), received(2), received(3)];
    const before = arrange(messages, null);
    const after = arrange([...messages, received(4)], null);
    expect(after.map((row, index) => row === before[index])).toEqual([true, true, true, false, false]);
    expect(after[3]?.endsGroup).toBe(false);
  });

  test('starts a new group after a pause', () => {
    const rows = arrange([received(0), received(5)], null);
    expect(rows.map((row) => row.startsGroup)).toEqual([true, true]);
  });

  test('never groups an unsigned message with a proven one', () => {
    const rows = arrange([received(0), received(1, { trust: 'api' }), received(2)], null);
    expect(rows.every((row) => row.startsGroup && row.endsGroup)).toBe(true);
  });

  test('starts a new group and shows the day at midnight', () => {
    const rows = arrange([received(719), received(720), received(721)], null);
    expect(rows.map((row) => row.startsDay)).toEqual([true, true, false]);
    expect(rows.map((row) => row.startsGroup)).toEqual([true, true, false]);
  });

  test('puts a message that waited on the server under the day of sending', () => {
    const storedAt = received(1_000).at;
    const rows = arrange([received(700, { storedAt }), received(721, { storedAt }), own(1_001)], null);
    expect(rows.map((row) => row.startsDay)).toEqual([true, true, false]);
  });

  test('puts an event under the day of the following messages', () => {
    const event = { type: 'joined' as const, who: received(0).author, by: null, seconds: null, before: null };
    const rows = arrange([received(0), received(1_000, { event }), received(1), received(1_001)], null);
    expect(rows.map((row) => row.startsDay)).toEqual([true, false, false, true]);
  });

  test('divides a group at the first unread message', () => {
    const rows = arrange([received(0), received(1), received(2)], 'm1');
    expect(rows.map((row) => row.startsUnread)).toEqual([false, true, false]);
    expect(rows.map((row) => row.endsGroup)).toEqual([true, false, true]);
  });

  test('shows no divider above messages that the person answered', () => {
    const answered = arrange([received(0), received(1), own(2)], 'm1');
    expect(answered.every((row) => !row.startsUnread)).toBe(true);
    const before = arrange([own(0), received(1), received(2)], 'm1');
    expect(before.map((row) => row.startsUnread)).toEqual([false, true, false]);
  });

  test('creates no rows without messages', () => {
    expect(arrange([], null)).toEqual([]);
  });
});
