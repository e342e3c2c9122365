/** The order in which copies of pictures are made. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Turns } from '../../../../../src/renderer/chat/files/turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settled = () => vi.advanceTimersByTimeAsync(0);

test('one begins after the other, also after a failed one', async () => {
  const turns = new Turns(2_000);
  const begun: number[] = [];
  const first = Promise.withResolvers<void>();
  const failed = turns.run(async () => {
    begun.push(1);
    await first.promise;
  });
  const second = turns.run(async () => begun.push(2));
  await settled();
  expect(begun).toEqual([1]);
  first.reject(new Error('damaged'));
  await expect(failed).rejects.toThrow('damaged');
  await second;
  expect(begun).toEqual([1, 2]);
});

test('a picture that keeps the decoder busy does not stop the others', async () => {
  const turns = new Turns(2_000);
  const begun: number[] = [];
  const busy = new Promise(() => undefined);
  for (const number of [1, 2]) {
    void turns.run(async () => {
      begun.push(number);
      await busy;
    });
  }
  const last = turns.run(async () => 'copy');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(begun).toEqual([1]);
  await vi.advanceTimersByTimeAsync(2_001);
  expect(begun).toEqual([1, 2]);
  await expect(last).resolves.toBe('copy');
});
