import { expect, test } from 'vitest';
import { ResourceStack } from '../../../src/relay/resource-stack.ts';

test('closes the last opened resource first, once', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  resources.defer(() => closed.push('database'));
  resources.defer(async () => closed.push('server'));
  await resources[Symbol.asyncDispose]();
  await resources[Symbol.asyncDispose]();
  expect(closed).toEqual(['server', 'database']);
});

test('closes the others after a failure to close one', async () => {
  const closed: string[] = [];
  const resources = new ResourceStack();
  resources.defer(() => closed.push('database'));
  resources.defer(() => {
    throw new Error('the server hangs');
  });
  await expect(resources[Symbol.asyncDispose]()).rejects.toThrow('the server hangs');
  expect(closed).toEqual(['database']);
});

test('only the new owner closes a moved resource', async () => {
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
