/** The window of the desktop app: its place, and the events that bring it to the front. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { quitDesktop, startDesktop } from '../../support/started-desktop.ts';

afterEach(() => vi.useRealTimers());

test('the window returns to its last place, on a connected display', async () => {
  using folder = temporaryFolder();
  const bounds = { x: 200, y: 50, width: 700, height: 600 };
  const first = startDesktop(folder.path, [], { hasKeyStore: false });
  first.electron.app.becomeReady();
  await first.app.ready;
  first.electron.window.drag(bounds);
  await quitDesktop(first.electron, folder.path);
  expect(existsSync(join(folder.path, 'data', 'window.json'))).toBe(true);
  const second = startDesktop(folder.path, [], { hasKeyStore: false });
  second.electron.app.becomeReady();
  await second.app.ready;
  expect(second.electron.window.options).toMatchObject(bounds);
  await quitDesktop(second.electron, folder.path);
});

test('opening from the tray on macOS activates the app', async () => {
  using folder = temporaryFolder();
  const { electron, app } = startDesktop(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.app.isInFront).toBe(false);
  electron.tray.menu?.click('Open Waxwing');
  expect(electron.app.isInFront).toBe(true);
  await quitDesktop(electron, folder.path);
});

/** Advances through the app's delays, until a condition is met or the app has stopped checking. */
async function whilePausesPass(isSo: () => boolean): Promise<void> {
  for (let passed = 0; passed < 60 && !isSo(); passed++) await vi.advanceTimersByTimeAsync(1_000);
}

test('a tray that appears late at login keeps the window hidden, and gets an icon', async () => {
  using folder = temporaryFolder();
  let looks = 0;
  const hasTray = async () => ++looks > 3;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { electron, app } = startDesktop(folder.path, ['--hidden'], { hasKeyStore: false, hasTray });
  electron.app.becomeReady();
  await app.ready;
  await whilePausesPass(() => electron.trays.length === 2);
  expect(electron.window.isVisible()).toBe(false);
  expect(electron.trays.map(({ isGone }) => isGone)).toEqual([true, false]);
  expect(electron.trays[1]?.menu?.labels).toContain('Open Waxwing');
  vi.useRealTimers();
  await quitDesktop(electron, folder.path);
});

test('starting at login on a desktop without a tray shows the window', async () => {
  using folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { electron, app } = startDesktop(folder.path, ['--hidden'], {
    hasKeyStore: false,
    hasTray: async () => false,
  });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.window.isVisible()).toBe(false);
  await whilePausesPass(() => electron.window.isVisible());
  vi.useRealTimers();
  await quitDesktop(electron, folder.path);
});
