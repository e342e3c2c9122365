import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Attempts, waitAfter } from '../../../../src/host/keys/attempts.ts';
import { temporaryFolder } from '../../../support/engine.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
});
afterEach(() => {
  vi.useRealTimers();
});

const wrong = async () => null;
const right = async () => 'the key';

test('C16: three attempts are free; then the wait doubles from one second up to five minutes', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 11, 12, 100].map(waitAfter)).toEqual([
    0, 0, 0, 1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
  ]);
});

test('C16: tries no passphrase during the wait, not even the right one', async () => {
  using folder = temporaryFolder();
  const attempts = new Attempts(folder.path);
  for (let failed = 1; failed <= 3; failed++) {
    expect(await attempts.make(wrong)).toBeNull();
    expect(attempts.failed).toBe(failed);
  }
  const tried = vi.fn(right);
  await expect(attempts.make(tried)).rejects.toThrow(
    'There were 3 wrong passphrases. Try again in 1 second.',
  );
  expect(tried).not.toHaveBeenCalled();
  expect(attempts.failed).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(await attempts.make(wrong)).toBeNull();
  await expect(attempts.make(tried)).rejects.toThrow('Try again in 2 seconds.');
  vi.advanceTimersByTime(2_000);
  expect(await attempts.make(tried)).toBe('the key');
  expect([attempts.failed, attempts.wait]).toEqual([0, 0]);
});

test('C16: stores an attempt before it is made: ending the process gains no other', async () => {
  using folder = temporaryFolder();
  for (let start = 1; start <= 3; start++) {
    const attempts = new Attempts(folder.path);
    await attempts.make(async () => {
      // After a kill here, nothing more is written.
      expect(JSON.parse(readFileSync(join(folder.path, 'attempts.json'), 'utf8')).failed).toBe(start);
      return null;
    });
  }
  const again = new Attempts(folder.path);
  expect([again.failed, again.wait]).toEqual([3, 1_000]);
  await expect(again.make(right)).rejects.toMatchObject({ code: 'attempts_too_many' });
});

test('C16: setting the clock back does not extend the wait', async () => {
  using folder = temporaryFolder();
  const stored = { failed: 20, lastAt: Date.now() + 365 * 86_400_000 };
  writeFileSync(join(folder.path, 'attempts.json'), JSON.stringify(stored));
  const attempts = new Attempts(folder.path);
  expect(attempts.wait).toBe(300_000);
  vi.advanceTimersByTime(300_000);
  expect(await attempts.make(right)).toBe('the key');
  expect(new Attempts(folder.path).failed).toBe(0);
});
