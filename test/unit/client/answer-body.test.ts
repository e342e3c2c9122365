import { expect, test } from 'vitest';
import { parseBody } from '../../../src/client/answer-body.ts';

test('refuses a body that needs far more memory than its length', () => {
  const many = (value: string) => `{"groups": [${Array(20_000).fill(value).join()}]}`;
  for (const value of ['[]', '{}', '0', 'null', '""']) expect(parseBody(many(value)), value).toBeUndefined();
  for (const depth of [17, 200_000]) {
    expect(parseBody('['.repeat(depth) + ']'.repeat(depth))).toBeUndefined();
    expect(parseBody(`${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`)).toBeUndefined();
  }
});

test('accepts answers of honest relays of any length', () => {
  const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
  const results = Array.from({ length: 5_000 }, (_, index) => ({
    status: index % 2 ? 'accepted' : 'duplicate',
    id: 'x'.repeat(43),
  }));
  const honest: unknown[] = [
    { acknowledged: 0 },
    { members: Array.from({ length: 5_000 }, (_, index) => address(index)) },
    { accepted: 5_000, results, missing: [], stale: [] },
    { envelopes: [{ ciphertext: 'a'.repeat(87_000), asRequest: false }], more: true },
    { texts: ['\\', '"', '\\"', '[{,', '\\\\"['] },
    { depth: Array.from({ length: 14 }).reduce<unknown>((inner) => [inner], 1) },
  ];
  for (const answer of honest) expect(parseBody(JSON.stringify(answer))).toEqual(answer);
  expect(parseBody('no JSON')).toBeUndefined();
});
