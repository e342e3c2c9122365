import { expect, test } from 'vitest';
import { ResourceStack } from '../../../src/relay/resource-stack.ts';

test('what was opened last is closed first, once', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  resources.defer(() => closed.push('database'));
  resources.defer(async () => closed.push('server'));
  await resources[Symbol.asyncDispose]();
  await resources[Symbol.asyncDispose]();
  expect(closed).toEqual(['server', 'database']);
});

test('one that cannot be closed keeps none of the others open', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  resources.defer(() => closed.push('database'));
  resources.defer(() => {
    throw new Error('the server hangs');
  });
  await expect(resources[Symbol.asyncDispose]()).rejects.toThrow('the server hangs');
  expect(closed).toEqual(['database']);
});

test('what was moved is closed by its new owner alone', async () => {
  const closed: string[] = [];
  let moved: ResourceStack;
  {
    await using resources = new ResourceStack();
    resources.defer(() => closed.push('database'));
    moved = resources.move();
  }
  expect(closed).toEqual([]);
  await moved[Symbol.asyncDispose]();
  expect(closed).toEqual(['database']);
});
