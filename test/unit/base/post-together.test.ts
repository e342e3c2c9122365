import { expect, test } from 'vitest';
import { postTogether } from '../../../src/base/post-together.ts';

test('messages of one turn are posted as one list, in order, and later ones as another', async () => {
  const posted: (readonly unknown[])[] = [];
  const { add } = postTogether((messages) => posted.push(messages));
  const first = [1, 2, 3].map(add);
  expect(posted).toEqual([]);
  await Promise.all(first);
  expect(posted).toEqual([[1, 2, 3]]);
  await add(4);
  expect(posted).toEqual([[1, 2, 3], [4]]);
});

test('a flush posts the list at once and only once', async () => {
  const posted: (readonly unknown[])[] = [];
  const { add, flush } = postTogether((messages) => posted.push(messages));
  const added = add(1);
  flush();
  expect(posted).toEqual([[1]]);
  await added;
  flush();
  expect(posted).toEqual([[1]]);
});

test('a list that cannot be posted rejects its messages, and not later ones', async () => {
  const posted: string[] = [];
  const { add } = postTogether((messages) => posted.push(JSON.stringify(messages)));
  const results = await Promise.allSettled([add(1n), add('of the same turn')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await add('later');
  expect(posted).toEqual(['["later"]']);
});
