import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue } from '../../../src/relay/fair-queue.ts';

const [EVE, ANN, BEN] = [1, 2, 3];

/** Runs tasks of these accounts, asked for in this order; gives the order in which they ran. */
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

test('one account that asks for a lot waits for that, and the others do not', async () => {
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

test('what fails is told, and the next has its turn', async () => {
  const queue = new FairQueue();
  const failed = queue.run(EVE, () => Promise.reject(new Error('broken')));
  const next = queue.run(ANN, async () => 'made');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('made');
  expect(await queue.run(EVE, async () => 'again')).toBe('again');
});

test('so many of one account wait, and so many of all; one more is refused', async () => {
  const queue = new FairQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Promise<unknown>[] = [queue.run(EVE, () => promise)];
  for (let count = 0; count < 16; count++) waiting.push(queue.run(EVE, async () => {}));
  await expect(queue.run(EVE, async () => {})).rejects.toMatchObject({ code: 'rate_limited' });
  waiting.push(queue.run(ANN, async () => {}));
  for (let account = 100; account < 583; account++) waiting.push(queue.run(account, async () => {}));
  await expect(queue.run(BEN, async () => {})).rejects.toMatchObject({ code: 'unavailable' });
  resolve();
  await Promise.all(waiting);
  expect(await queue.run(BEN, async () => 'made')).toBe('made');
});
