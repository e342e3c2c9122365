import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkWatch } from '../../../src/base/node/network-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('another network, and none, are noticed once each; the same network is no news', () => {
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

test('the addresses of this computer stay what they are', () => {
  let changes = 0;
  const watch = new NetworkWatch(() => {
    changes++;
  });
  watch.start();
  vi.advanceTimersByTime(10_000);
  watch.stop();
  expect(changes).toBe(0);
});
