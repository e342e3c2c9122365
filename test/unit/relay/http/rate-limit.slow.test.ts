import { expect, test } from 'vitest';
import { RateLimit } from '../../../../src/relay/http/rate-limit.ts';
import { retainedBytes } from '../../../support/memory.ts';

test('a million addresses take less than 64 MiB', () => {
  const limit = new RateLimit('test', { burst: 3, perSecond: 1 });
  const before = retainedBytes();
  for (let index = 0; index < 1_000_000; index++)
    limit.tryConsume(`2001:db8:${index >> 16}:${index & 0xffff}`);
  expect(retainedBytes() - before).toBeLessThan(64 * 1024 * 1024);
});

test('a million other buckets do not refill an empty one', () => {
  const limit = new RateLimit('test', { burst: 10, perSecond: 1 }, () => 0);
  for (let count = 0; count < 10; count++) limit.tryConsume('busy');
  for (let index = 0; index < 1_000_000; index++) limit.tryConsume(`other ${index}`);
  expect(limit.tryConsume('busy')).toBe(1);
});
