import { afterEach, describe, expect, test } from 'vitest';
import {
  clockTime,
  dayCaption,
  fullTime,
  listTime,
  plainDate,
  playTime,
  sameDay,
  secondsUntil,
} from '../../../../src/renderer/shared/time.ts';

const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();
const now = at(2026, 4, 14, 15, 30);

describe('dayCaption', () => {
  test('shows today and yesterday by the calendar, not by hours', () => {
    const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
    expect(dayCaption(at(2026, 4, 14, 0, 1), now).toLowerCase()).toBe(relative.format(0, 'day'));
    expect(dayCaption(at(2026, 4, 13, 23, 59), now).toLowerCase()).toBe(relative.format(-1, 'day'));
  });

  test('names the weekday within a week, then the date, then the year too', () => {
    expect(dayCaption(at(2026, 4, 10), now)).not.toMatch(/\d/);
    expect(dayCaption(at(2026, 3, 30), now)).toMatch(/30/);
    expect(dayCaption(at(2026, 3, 30), now)).not.toMatch(/2026/);
    expect(dayCaption(at(2025, 3, 30), now)).toMatch(/2025/);
  });
});

describe('listTime', () => {
  test('is a time of day today and shows less the older it is', () => {
    expect(listTime(at(2026, 4, 14, 9, 5), now)).toMatch(/9.05/);
    expect(listTime(at(2026, 4, 11), now)).not.toMatch(/\d/);
    expect(listTime(at(2025, 4, 11), now)).toMatch(/2025/);
  });

  test('shows a time of day for a message whose clock is ahead', () => {
    expect(listTime(at(2026, 4, 15, 9, 5), now)).toMatch(/9.05/);
  });
});

describe('sameDay', () => {
  test('follows the calendar', () => {
    expect(sameDay(at(2026, 4, 14, 0, 0), at(2026, 4, 14, 23, 59))).toBe(true);
    expect(sameDay(at(2026, 4, 14, 23, 59), at(2026, 4, 15, 0, 0))).toBe(false);
  });
});

describe('secondsUntil', () => {
  test('rounds up and is never negative', () => {
    expect(secondsUntil(1001, 0)).toBe(2);
    expect(secondsUntil(0, 5000)).toBe(0);
  });
});

describe('the time zone of the computer', () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test('a change of zone changes times of day, dates and days', () => {
    const [late, early] = [Date.UTC(2026, 4, 14, 21, 30), Date.UTC(2026, 4, 14, 22, 30)];
    process.env.TZ = 'Europe/Berlin';
    expect(clockTime(late)).toMatch(/(23|11).30/);
    expect(plainDate(early)).toMatch(/15/);
    expect(fullTime(early)).toMatch(/15/);
    expect(sameDay(late, early)).toBe(false);
    process.env.TZ = 'America/Los_Angeles';
    expect(clockTime(late)).toMatch(/(14|2).30/);
    expect(plainDate(early)).toMatch(/14/);
    expect(fullTime(early)).toMatch(/14/);
    expect(sameDay(late, early)).toBe(true);
  });
});

test('a place in a sound has minutes and two digits of seconds', () => {
  expect([0, 5.9, 60, 754.2, 6000].map(playTime)).toEqual(['0:00', '0:05', '1:00', '12:34', '100:00']);
});
