import { expect, test } from 'vitest';
import { areHistoriesOf, isHistoryOf } from '../../../src/protocol/key-history.ts';
import { HISTORY_PAGE } from '../../../src/protocol/limits.ts';
import type { KeyHistory } from '../../../src/protocol/schemas/directory.ts';

const [ann, ben] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];

function history(address: string, sequences: number[], more = false): KeyHistory {
  const lists = sequences.map((sequence) => ({
    sequence,
    previous: null,
    issued: '2026-11-20T20:00:00.000Z',
    unsigned: [] as [],
    devices: [],
    signature: '',
  }));
  return { address, lists, more };
}

test('accepts a history only for its address and range, in order and bounded', () => {
  const want = { address: ann, after: 2 };
  for (const sequences of [[], [3], [3, 4, 5], [4, 9]])
    expect(isHistoryOf(history(ann, sequences), want)).toBe(true);
  for (const sequences of [[2], [4, 3], [3, 3], [1, 2, 3]])
    expect(isHistoryOf(history(ann, sequences), want)).toBe(false);
  expect(isHistoryOf(history(ben, [3]), want)).toBe(false);
  expect(isHistoryOf(history(ann, [], true), want)).toBe(false);
  expect(isHistoryOf(history(ann, [3], true), want)).toBe(true);
  const long = Array.from({ length: HISTORY_PAGE + 1 }, (_, index) => index + 3);
  expect(isHistoryOf(history(ann, long), want)).toBe(false);
});

test('accepts histories in the order of the question, at least one not empty', () => {
  const wants = [
    { address: ann, after: 0, upTo: 2 },
    { address: ben, after: 5, upTo: 7 },
  ];
  const isAnswer = (...histories: KeyHistory[]) => areHistoriesOf({ histories }, wants);
  expect(isAnswer(history(ann, [1, 2]), history(ben, [6], true))).toBe(true);
  expect(isAnswer(history(ann, []), history(ben, []))).toBe(true);
  expect(isAnswer(history(ann, [1, 2]))).toBe(false);
  expect(isAnswer(history(ben, [6]), history(ann, [1]))).toBe(false);
  expect(isAnswer(history(ann, [1, 2, 3]), history(ben, []))).toBe(false);
  expect(isAnswer(history(ann, [2, 1]), history(ben, []))).toBe(false);
  expect(isAnswer(history(ann, [], true), history(ben, []))).toBe(false);
  const many = Array.from({ length: 201 }, (_, index) => index + 1);
  expect(areHistoriesOf({ histories: [history(ann, many)] }, [{ address: ann, after: 0, upTo: 999 }])).toBe(
    false,
  );
});
