import { expect, test } from 'vitest';
import { untilIdle } from '../../../bench/support/idle.ts';

/** Runs the wait with the processor time that each attempt uses, in microseconds. */
async function waitWith(used: (attempt: number) => number): Promise<{ isIdle: boolean; attempts: number }> {
  let attempts = 0;
  let time = 0;
  const wait = async () => {
    time += used(++attempts);
    if (attempts > 1_000) throw new Error('the wait has no end');
  };
  const isIdle = await untilIdle(() => time, wait);
  return { isIdle, attempts };
}

test('waits until the process uses almost no processor time', async () => {
  expect(await waitWith((attempt) => (attempt < 5 ? 9_000 : 100))).toEqual({ isIdle: true, attempts: 5 });
});

test('ends on a machine that is never idle, and reports it', async () => {
  expect(await waitWith(() => 9_000)).toEqual({ isIdle: false, attempts: 200 });
});
