import { expect, test } from 'vitest';
import { Closers } from '../../../src/relay/closers.ts';

test('what was opened last is closed first, once', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.defer(() => closed.push('database'));
  closers.defer(async () => closed.push('server'));
  await closers[Symbol.asyncDispose]();
  await closers[Symbol.asyncDispose]();
  expect(closed).toEqual(['server', 'database']);
});

test('one that cannot be closed keeps none of the others open', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.defer(() => closed.push('database'));
  closers.defer(() => {
    throw new Error('the server hangs');
  });
  await expect(closers[Symbol.asyncDispose]()).rejects.toThrow('the server hangs');
  expect(closed).toEqual(['database']);
});

test('what was moved is closed by its new owner alone', async () => {
  const closed: string[] = [];
  let moved: Closers;
  {
    await using closers = new Closers();
    closers.defer(() => closed.push('database'));
    moved = closers.move();
  }
  expect(closed).toEqual([]);
  await moved[Symbol.asyncDispose]();
  expect(closed).toEqual(['database']);
});
