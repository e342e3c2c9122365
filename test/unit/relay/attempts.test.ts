import { beforeEach, expect, test } from 'vitest';
import { ProblemError } from '../../../src/protocol/problems.ts';
import { Attempts } from '../../../src/relay/http/attempts.ts';
import { heldBytes } from '../../support/memory.ts';

let now = 0;
let attempts = new Attempts(() => now);
beforeEach(() => {
  now = 0;
  attempts = new Attempts(() => now);
});

/** Seconds that a guess must wait; 0 if it was let through, and counted as wrong. */
function guess(place = 'home', target = 'group'): number {
  try {
    attempts.begin(target, place);
    return 0;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'rate_limited') throw error;
    return error.retryAfter ?? Number.NaN;
  }
}

test('from one place the wait doubles with each wrong guess, up to an hour', () => {
  const waits: number[] = [];
  for (let count = 0; count < 14; count++) {
    expect(guess()).toBe(0);
    waits.push(guess());
    now += guess() * 1000;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
});

test('a right guess is taken back: the next from there waits for nothing', () => {
  guess();
  now += 1_000;
  attempts.begin('group', 'home')();
  expect(guess()).toBe(0);
  expect(guess()).toBe(1);
});

test('another place and another group are not slowed down', () => {
  guess();
  expect(guess('elsewhere')).toBe(0);
  expect(guess('home', 'another group')).toBe(0);
});

test('10,000 guesses from 200 places: fifty are let through in an hour, fifty more in the next', () => {
  const letThrough = () => {
    let count = 0;
    for (let index = 0; index < 10_000; index++) if (guess(`place ${index % 200}`) === 0) count++;
    return count;
  };
  expect(letThrough()).toBe(50);
  now += 3_600_000;
  expect(letThrough()).toBe(50);
});

test('what is remembered is bounded', () => {
  for (let index = 0; index < 50_000; index++) guess('home', `group ${index}`);
  const before = heldBytes();
  for (let index = 50_000; index < 150_000; index++) guess('home', `group ${index}`);
  expect(heldBytes() - before).toBeLessThan(64 * 1024 * 1024);
});
