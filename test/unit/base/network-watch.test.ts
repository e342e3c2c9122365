import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkWatch } from '../../../src/base/node/network-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('notices a new network and its loss once each, and ignores the same one', () => {
  let addresses = 'wlan0 192.0.2.7/24';
  let changes = 0;
  const watch = new NetworkWatch(
    () => {
      changes++;
    },
    () => addresses,
  );
  const counts: number[] = [];
  watch.start();
  for (const next of [
    addresses,
    'wlan0 198.51.100.4/24',
    'wlan0 198.51.100.4/24',
    '',
    'tun0 203.0.113.1/32',
  ]) {
    addresses = next;
    vi.advanceTimersByTime(2_000);
    counts.push(changes);
  }
  watch.stop();
  addresses = 'wlan0 192.0.2.7/24';
  vi.advanceTimersByTime(10_000);
  expect([counts, changes]).toEqual([[0, 1, 1, 2, 3], 3]);
});

test('the addresses of this computer are unchanged', () => {
  let changes = 0;
  const watch = new NetworkWatch(() => {
    changes++;
  });
  watch.start();
  vi.advanceTimersByTime(10_000);
  watch.stop();
  expect(changes).toBe(0);
});
