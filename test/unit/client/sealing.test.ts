import { expect, test } from 'vitest';
import { answerIdOf } from '../../../src/client/sealing.ts';

test('an answer’s id depends on its question and its author', () => {
  const [alice, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
  const question = { from: alice, id: 'CgoKCgoKCgoKCgoKCgoKCg' };
  const id = answerIdOf(bob, question);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(answerIdOf(bob, { ...question })).toBe(id);
  expect(new Set([id, answerIdOf(alice, question), answerIdOf(bob, { ...question, id: 'x' })]).size).toBe(3);
});
