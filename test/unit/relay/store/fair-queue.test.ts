import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue } from '../../../../src/relay/store/fair-queue.ts';

const [EVE, ANN, BEN] = [1, 2, 3];

/** Runs tasks of these accounts, in this order. Returns the order of execution. */
async function order(accounts: number[]): Promise<number[]> {
  const queue = new FairQueue();
  const ran: number[] = [];
  await Promise.all(
    accounts.map((account) =>
      queue.run(account, async () => {
        await setImmediate();
        ran.push(account);
      }),
    ),
  );
  return ran;
}

test('an account with many requests does not delay others', async () => {
  expect(await order([EVE, EVE, EVE, EVE, EVE, ANN, BEN, ANN])).toEqual([
    EVE,
    EVE,
    ANN,
    BEN,
    EVE,
    ANN,
    EVE,
    EVE,
  ]);
});

test('rejects a failed job, and continues with the next', async () => {
  const queue = new FairQueue();
  const failed = queue.run(EVE, () => Promise.reject(new Error('broken')));
  const next = queue.run(ANN, async () => 'made');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('made');
  expect(await queue.run(EVE, async () => 'again')).toBe('again');
});

test('limits waiting jobs; one more displaces one of the largest account', async () => {
  const queue = new FairQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Promise<unknown>[] = [queue.run(EVE, () => promise)];
  for (let count = 0; count < 16; count++) waiting.push(queue.run(EVE, async () => {}));
  await expect(queue.run(EVE, async () => {})).rejects.toMatchObject({ code: 'rate_limited' });
  waiting.push(queue.run(ANN, async () => {}));
  for (let account = 100; account < 583; account++) waiting.push(queue.run(account, async () => {}));
  const outcomes = Promise.allSettled(waiting);
  const made = queue.run(BEN, async () => 'made');
  resolve();
  expect(await made).toBe('made');
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'unavailable' } }]);
  expect(await queue.run(BEN, async () => 'made')).toBe('made');
});

test('accounts at their limit do not exclude others', async () => {
  const queue = new FairQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue.run(EVE, () => promise);
  const crowd: Promise<unknown>[] = [];
  for (let account = 100; account < 132; account++) {
    for (let count = 0; count < 16; count++) crowd.push(queue.run(account, async () => {}));
  }
  const outcomes = Promise.allSettled(crowd);
  const friends = [queue.run(ANN, async () => 'made'), queue.run(BEN, async () => 'made')];
  resolve();
  await first;
  expect(await Promise.all(friends)).toEqual(['made', 'made']);
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(14);
});
