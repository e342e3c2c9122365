import { expect, test } from 'vitest';
import { OneAtATime } from '../../../src/base/one-at-a-time.ts';

test('any number of requests during a run causes one more run', async () => {
  const ends: (() => void)[] = [];
  const work = new OneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  const next = () => new Promise((resolve) => setTimeout(resolve));
  work.ask();
  work.ask();
  work.ask();
  await next();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await next();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await next();
  expect(ends).toHaveLength(2);
  work.ask();
  expect(ends).toHaveLength(3);
});
