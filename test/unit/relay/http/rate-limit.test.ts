import { expect, test } from 'vitest';
import { RateLimit } from '../../../../src/relay/http/rate-limit.ts';
import { retainedBytes } from '../../../support/memory.ts';

test('a bucket allows its burst, then returns the wait, and refills', () => {
  let now = 0;
  const limit = new RateLimit('test', { burst: 3, perSecond: 0.5 }, () => now);
  expect([1, 2, 3].map(() => limit.tryConsume('a'))).toEqual([0, 0, 0]);
  expect(limit.tryConsume('a')).toBe(2);
  expect(limit.tryConsume('b')).toBe(0);
  now += 1_000;
  expect(limit.tryConsume('a')).toBe(1);
  now += 1_000;
  expect(limit.tryConsume('a')).toBe(0);
  expect(limit.tryConsume('a')).toBe(2);
});

test('does not store unused and full buckets', () => {
  let now = 0;
  const limit = new RateLimit('test', { burst: 1, perSecond: 1 }, () => now);
  const before = retainedBytes();
  for (let index = 0; index < 300_000; index++) {
    limit.wait(`looked at ${index}`);
    limit.tryConsume(`used ${index}`);
    now += 1_000;
  }
  expect(retainedBytes() - before).toBeLessThan(1024 * 1024);
});
