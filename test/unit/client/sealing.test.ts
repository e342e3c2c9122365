import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerIdOf, chunksOf } from '../../../src/client/sealing.ts';

function envelope(index: number, size: number) {
  return {
    toAddress: '',
    recipientDeviceKey: String(index),
    ciphertext: 'x'.repeat(size),
    ephemeralPublicKey: '',
    nonce: '',
  };
}

test('chunks keep every envelope in order, below both limits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3_000 })),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 4_000, max: 9_000 }),
      (sizes, count, bytes) => {
        const envelopes = sizes.map((size, index) => envelope(index, size));
        const chunks = chunksOf(envelopes, { count, bytes });
        expect(chunks.flat()).toEqual(envelopes);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(count);
          expect(JSON.stringify({ envelopes: chunk }).length).toBeLessThanOrEqual(bytes);
        }
      },
    ),
  );
});

test('an answer’s id is its question’s and its author’s own', () => {
  const [alice, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
  const question = { from: alice, id: 'CgoKCgoKCgoKCgoKCgoKCg' };
  const id = answerIdOf(bob, question);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(answerIdOf(bob, { ...question })).toBe(id);
  expect(new Set([id, answerIdOf(alice, question), answerIdOf(bob, { ...question, id: 'x' })]).size).toBe(3);
});
