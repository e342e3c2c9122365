import { expect, test } from 'vitest';
import { OneAtATime } from '../../../src/base/one-at-a-time.ts';

test('what is asked for during a run is done by one more, however often it was asked for', async () => {
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
