import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppClipboard } from '../../../src/main/clipboard.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function clipboard() {
  const electron = new ElectronDouble();
  return { system: electron.clipboard, own: new AppClipboard(electron.parts.clipboard) };
}

test('C13: removes a secret from the clipboard after a minute', async () => {
  const { system, own } = clipboard();
  await own.copy('twelve words', true);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(system.text).toBe('twelve words');
  await vi.advanceTimersByTimeAsync(1);
  expect(system.text).toBe('');
});

test('C13: keeps a text copied after it', async () => {
  const { system, own } = clipboard();
  await own.copy('twelve words', true);
  system.text = 'from another program';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(system.text).toBe('from another program');
  await own.copy('twelve words', true);
  await own.copy('an address', false);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(system.text).toBe('an address');
});

test('C13: copying again restarts the minute; quitting ends it', async () => {
  const { system, own } = clipboard();
  await own.copy('twelve words', true);
  await vi.advanceTimersByTimeAsync(40_000);
  await own.copy('twelve words', true);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(system.text).toBe('twelve words');
  await own.clearSecret();
  expect(system.text).toBe('');
});

test('reports a refused copy, and still removes the previous secret in time', async () => {
  const { system, own } = clipboard();
  await own.copy('twelve words', true);
  system.isBusy = true;
  await expect(own.copy('others', false)).rejects.toThrow('clipboard_busy');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(system.text).toBe('');
});
