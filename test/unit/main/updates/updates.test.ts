import { EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Updates, type UpdatesOptions } from '../../../../src/main/updates/updates.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HOURS = 3_600_000;

/** Settings of electron-updater, and the number of its checks. It answers when `answer` is called. */
class UpdaterDouble extends EventEmitter {
  autoDownload = true;
  autoInstallOnAppQuit: boolean | null = null;
  allowDowngrade = true;
  disableWebInstaller = false;
  disableDifferentialDownload = false;
  logger: unknown = console;
  httpExecutor = {
    addRedirectHandlers: () => undefined,
    createRequest: () => undefined,
    doDownload: () => undefined,
  };
  app = { baseCachePath: '' };
  checks = 0;
  answer: () => void = () => undefined;

  setFeedURL(): void {}

  checkForUpdates(): Promise<null> {
    this.checks++;
    return new Promise((resolve) => {
      this.answer = () => resolve(null);
    });
  }
}

function updatesOf(person: { mayCheck: boolean }) {
  const updater = new UpdaterDouble();
  // Records them only; test/integration/main/updates tests the real one.
  const options = {
    updater: updater as unknown as AppUpdater,
    mayCheck: () => person.mayCheck,
    installs: true,
  };
  return { updater, updates: new Updates(options as unknown as UpdatesOptions) };
}

test('the updater downloads nothing automatically, nothing older, nothing in parts, without reports', () => {
  const { updater } = updatesOf({ mayCheck: false });
  expect(updater).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: true,
    allowDowngrade: false,
    disableWebInstaller: true,
    disableDifferentialDownload: true,
    logger: null,
  });
  // Without a listener, an error would end the process.
  expect(() => updater.emit('error', new Error('no network'))).not.toThrow();
});

test('checks at the start and every six hours if enabled, until it is closed', async () => {
  const person = { mayCheck: true };
  const { updater, updates } = updatesOf(person);
  const pass = async () => {
    updater.answer();
    await vi.advanceTimersByTimeAsync(6 * HOURS);
    return updater.checks;
  };
  expect(updater.checks).toBe(1);
  expect(await pass()).toBe(2);
  person.mayCheck = false;
  expect(await pass()).toBe(2);
  person.mayCheck = true;
  expect(await pass()).toBe(3);
  updates.close();
  expect(await pass()).toBe(3);
});

test('a check during a check shares its answer', async () => {
  const { updater, updates } = updatesOf({ mayCheck: false });
  const first = updates.check();
  expect(await updates.check()).toMatchObject({ phase: 'checking' });
  updater.answer();
  expect(await first).toMatchObject({ phase: 'unavailable' });
  expect(updater.checks).toBe(1);
});

test('does not start an installer that the system would interrupt', () => {
  const { updater, updates } = updatesOf({ mayCheck: false });
  updates.installLater();
  expect(updater.autoInstallOnAppQuit).toBe(false);
});
