import { expect, test } from 'vitest';
import { mostInFlush } from '../../../../src/relay/store/sqlite/flush-size.ts';

test('after a pause, a flush contains all waiting writes', () => {
  expect(mostInFlush(1, 0)).toBe(1);
  expect(mostInFlush(100, 0)).toBe(100);
});

test('flushes become equal while each sender writes again after its answer', () => {
  const sizes: number[] = [];
  let [waiting, answered] = [28, 4];
  for (let flush = 0; flush < 5; flush++) {
    const size = Math.min(waiting, mostInFlush(waiting, answered));
    sizes.push(size);
    // Those that were answered write again during the flush.
    [waiting, answered] = [waiting - size + answered, size];
  }
  expect(sizes).toEqual([16, 16, 16, 16, 16]);
});
