import { setImmediate as nextRound } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Scheduler } from '../../../../src/relay/http/scheduler.ts';

let time = 0;
const now = () => time;

/** Occupies the thread for that many milliseconds. */
function work(milliseconds: number): void {
  time += milliseconds;
}

test('ten simultaneous callers get one slice per round of the event loop, in order', async () => {
  const scheduler = new Scheduler(now);
  const served: number[] = [];
  const all = Array.from({ length: 10 }, async (_, index) => {
    await scheduler.next();
    served.push(index);
  });
  let before = 0;
  while (served.length < 10) {
    await nextRound();
    expect(served.length - before).toBeLessThanOrEqual(1);
    before = served.length;
  }
  await Promise.all(all);
  expect(served).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a slice requested while a message is received runs in a later round of the event loop', async () => {
  const scheduler = new Scheduler(now);
  const { port1, port2 } = new MessageChannel();
  const order: string[] = [];
  const received = Promise.withResolvers<void>();
  port1.once('message', () => {
    received.resolve(scheduler.next());
    setImmediate(() => order.push('end of this round'));
  });
  port2.postMessage(null);
  await received.promise;
  order.push('slice');
  port1.close();
  expect(order).toEqual(['end of this round', 'slice']);
});

test('four long jobs: each round of the event loop runs one slice', async () => {
  const scheduler = new Scheduler(now);
  const done: number[] = [];
  const items = Array.from({ length: 20 }, (_, index) => index);
  // The first piece of each begins at once, as for a single caller.
  const all = Array.from({ length: 4 }, () =>
    scheduler.map(items, (item) => {
      work(4);
      done.push(item);
      return item * 2;
    }),
  );
  let before = done.length;
  let rounds = 0;
  while (done.length < 80) {
    await nextRound();
    // A piece ends with the item that exceeds ten milliseconds: the third.
    expect(done.length - before).toBeLessThanOrEqual(3);
    before = done.length;
    rounds++;
  }
  expect(rounds).toBeGreaterThanOrEqual(15);
  expect(await Promise.all(all)).toEqual(Array(4).fill(items.map((item) => item * 2)));
});

test('an error in one job rejects it, and other jobs continue', async () => {
  const scheduler = new Scheduler(now);
  const fails = scheduler.map([1, 2], () => {
    work(11);
    throw new Error('not this one');
  });
  await expect(fails).rejects.toThrow('not this one');
  expect(await scheduler.map([1, 2, 3], (item) => item)).toEqual([1, 2, 3]);
});
