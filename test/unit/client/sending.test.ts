/** The attempts of sending while a relay is away. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelayUnreachable } from '../../../src/base/failure.ts';
import { patiently } from '../../../src/client/sending.ts';

/** A restart of a relay, in milliseconds. */
const RESTART = 2_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each([0, 1])('with the jitter %d the pauses grow and outlast a restart of the relay', async (jitter) => {
  vi.spyOn(Math, 'random').mockReturnValue(jitter);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const failing = patiently(async () => {
    throw new RelayUnreachable('relay_silent');
  }, new AbortController().signal);
  failing.catch(() => undefined);
  await vi.runAllTimersAsync();
  await expect(failing).rejects.toMatchObject({ code: 'relay_silent' });
  const pauses = timers.mock.calls.map(([, milliseconds = 0]) => milliseconds);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(new Set(pauses).size).toBe(pauses.length);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(RESTART);
});

test('a relay that accepts connections and does not answer is asked three times', async () => {
  let attempts = 0;
  const failing = patiently(async () => {
    attempts++;
    vi.advanceTimersByTime(15_000);
    throw new RelayUnreachable('relay_late');
  }, new AbortController().signal);
  failing.catch(() => undefined);
  await vi.runAllTimersAsync();
  await expect(failing).rejects.toMatchObject({ code: 'relay_late' });
  expect(attempts).toBe(3);
});

test('each failed attempt that is repeated is reported before its pause', async () => {
  const problems: string[] = [];
  const failing = patiently(
    async () => {
      throw new RelayUnreachable('not_a_relay');
    },
    new AbortController().signal,
    ({ code }) => problems.push(code),
  );
  failing.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(problems).toEqual(['not_a_relay']);
  await vi.runAllTimersAsync();
  await expect(failing).rejects.toMatchObject({ code: 'not_a_relay' });
  // The last attempt is not repeated.
  expect(problems).toHaveLength(4);
});

test('a closed client ends the pause and makes no further attempts', async () => {
  const closing = new AbortController();
  let attempts = 0;
  const failing = patiently(async () => {
    attempts++;
    throw new RelayUnreachable(closing.signal.aborted ? 'closing' : 'relay_silent');
  }, closing.signal);
  failing.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  closing.abort();
  await expect(failing).rejects.toMatchObject({ code: 'closing' });
  expect([attempts, vi.getTimerCount()]).toEqual([2, 0]);
});
