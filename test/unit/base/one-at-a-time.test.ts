import { expect, test } from 'vitest';
import { OneAtATime } from '../../../src/base/one-at-a-time.ts';

test('any number of requests during a run causes one more run', async () => {
  const ends: (() => void)[] = [];
  const work = new OneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  const next = () => new Promise((resolve) => setTimeout(resolve));
  void work.request();
  void work.request();
  void work.request();
  await next();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await next();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await next();
  expect(ends).toHaveLength(2);
  void work.request();
  expect(ends).toHaveLength(3);
});

test('a request during a run ends with the run after it', async () => {
  const ends: (() => void)[] = [];
  const work = new OneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  const next = () => new Promise((resolve) => setTimeout(resolve));
  let hasEnded = false;
  void work.request();
  void work.request().then(() => {
    hasEnded = true;
  });
  ends[0]?.();
  await next();
  expect([ends.length, hasEnded]).toEqual([2, false]);
  ends[1]?.();
  await work.idle();
  await next();
  expect(hasEnded).toBe(true);
});
