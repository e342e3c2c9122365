/** Transfers of slow callers, and those of others. */
import { expect, test } from 'vitest';
import { Transfers } from '../../../../src/relay/blobs/transfers.ts';

/** Begins transfers that never end by themselves. */
function slowTransfers() {
  const transfers = new Transfers(1_000);
  const ends: (() => void)[] = [];
  const begin = (account: number, network: string | null) => {
    const { signal, end } = transfers.begin({ account, network }, 1, new AbortController().signal);
    ends.push(end);
    return signal;
  };
  return {
    transfers,
    begin,
    [Symbol.dispose]() {
      for (const end of ends) end();
    },
  };
}

test('accounts with all their transfers do not block others', () => {
  using slow = slowTransfers();
  const signals = Array.from({ length: 256 }, (_, index) => slow.begin(Math.floor(index / 8), null));
  const other = slow.begin(1_000, null);
  expect([other.aborted, signals[0]?.aborted, slow.transfers.size]).toEqual([false, true, 256]);
  expect(signals.filter(({ aborted }) => aborted)).toHaveLength(1);
});

test('many accounts of one network with one transfer each do not block other networks', () => {
  using slow = slowTransfers();
  const signals = Array.from({ length: 256 }, (_, index) => slow.begin(index, 'network of one'));
  const others = Array.from({ length: 8 }, () => slow.begin(1_000, 'another'));
  expect(others.every(({ aborted }) => !aborted)).toBe(true);
  expect(signals.slice(0, 8).every(({ aborted }) => aborted)).toBe(true);
  expect(slow.transfers.size).toBe(256);
});

test('no transfer is ended for a caller with as many', () => {
  using slow = slowTransfers();
  const signals = Array.from({ length: 256 }, (_, index) => slow.begin(index, `network ${index}`));
  expect(() => slow.begin(1_000, 'another')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(signals.every(({ aborted }) => !aborted)).toBe(true);
});

test('a network with most of the transfers does not end those of other networks', () => {
  using slow = slowTransfers();
  const others = Array.from({ length: 6 }, () => slow.begin(1_000, 'another'));
  const signals = Array.from({ length: 250 }, (_, index) => slow.begin(index, 'network of one'));
  expect(() => slow.begin(2_000, 'network of one')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect([...others, ...signals].every(({ aborted }) => !aborted)).toBe(true);
});

test('an account with fewer transfers than another one of its network gets one of them', () => {
  using slow = slowTransfers();
  const others = Array.from({ length: 8 }, () => slow.begin(1_000, 'another'));
  const signals = Array.from({ length: 248 }, (_, index) =>
    slow.begin(Math.floor(index / 8), 'network of one'),
  );
  slow.begin(2_000, 'network of one');
  expect(others.every(({ aborted }) => !aborted)).toBe(true);
  expect(signals.filter(({ aborted }) => aborted)).toHaveLength(1);
});

test('an account that uses many networks gives way to others', () => {
  using slow = slowTransfers();
  const signals = Array.from({ length: 256 }, (_, index) =>
    slow.begin(index < 8 ? 1 : index, `network ${index}`),
  );
  slow.begin(1_000, 'another');
  expect(signals[0]?.aborted).toBe(true);
});
