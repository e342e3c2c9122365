import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BackgroundTurns } from '../../../src/engine/background-turns.ts';

test('background workers do one slice in a turn of the event loop, one after the other', async () => {
  const turns = new BackgroundTurns();
  const slices: string[] = [];
  const work = async (name: string) => {
    for (let slice = 0; slice < 3; slice++) {
      await turns.next();
      slices.push(name);
    }
  };
  const works = Promise.all([work('restore'), work('index')]);
  const counts: number[] = [];
  while (slices.length < 6) {
    await turn();
    counts.push(slices.length);
  }
  await works;
  expect(slices).toEqual(['restore', 'index', 'restore', 'index', 'restore', 'index']);
  const most = Math.max(...counts.map((count, index) => count - (counts[index - 1] ?? 0)));
  expect(most).toBe(1);
});
