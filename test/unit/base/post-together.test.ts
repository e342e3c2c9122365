import { expect, test } from 'vitest';
import { postTogether } from '../../../src/base/post-together.ts';

test('messages of one turn are posted as one list, in order, and later ones as another', async () => {
  const posted: (readonly unknown[])[] = [];
  const post = postTogether((messages) => posted.push(messages));
  for (const message of [1, 2, 3]) post(message);
  expect(posted).toEqual([]);
  await Promise.resolve();
  expect(posted).toEqual([[1, 2, 3]]);
  post(4);
  await Promise.resolve();
  expect(posted).toEqual([[1, 2, 3], [4]]);
});
