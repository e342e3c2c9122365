import { expect, test } from 'vitest';
import { LaunchTokens, LINK_LIFE } from '../../../src/browser-host/launch.ts';

test('B2: a link is exchanged once, for a valid bearer', () => {
  const tokens = new LaunchTokens();
  const link = tokens.issue();
  const bearer = tokens.exchange(link);
  expect(bearer).toMatch(/^[\w-]{43}$/);
  expect(tokens.isBearer(bearer ?? '')).toBe(true);
  expect(tokens.exchange(link)).toBeNull();
  expect(tokens.isBearer(bearer ?? '')).toBe(true);
});

test('B2: refuses an unknown link, and a link as a bearer', () => {
  const tokens = new LaunchTokens();
  const link = tokens.issue();
  for (const guess of ['', link.slice(1), `${link}A`, 'constructor', '__proto__']) {
    expect(tokens.exchange(guess)).toBeNull();
    expect(tokens.isBearer(guess)).toBe(false);
  }
  expect(tokens.isBearer(link)).toBe(false);
});

test('B2: a link expires after its last millisecond', () => {
  let now = 1_000;
  const tokens = new LaunchTokens(() => now);
  const early = tokens.issue();
  const late = tokens.issue();
  now += LINK_LIFE - 1;
  expect(tokens.exchange(early)).not.toBeNull();
  now += 1;
  expect(tokens.exchange(late)).toBeNull();
  now -= 10;
  expect(tokens.exchange(late), 'a refused link stays refused').toBeNull();
});

test('B2: one of many exchanges of the same link succeeds', async () => {
  const tokens = new LaunchTokens();
  for (let race = 0; race < 1_000; race++) {
    const link = tokens.issue();
    const racers = Array.from({ length: 5 }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return tokens.exchange(link);
    });
    expect((await Promise.all(racers)).filter((bearer) => bearer !== null)).toHaveLength(1);
  }
});

test('the sixty-fifth bearer replaces the oldest', () => {
  const tokens = new LaunchTokens();
  const bearers = Array.from({ length: 65 }, () => tokens.exchange(tokens.issue()) ?? '');
  expect(new Set(bearers).size).toBe(65);
  expect(bearers.map((bearer) => tokens.isBearer(bearer))).toEqual([false, ...Array(64).fill(true)]);
});
