import { afterEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { BrowserWindowDouble } from '../../support/electron/index.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

afterEach(() => vi.restoreAllMocks());

test('closing the window hides it by default; a second start shows it', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], { hasKeyStore: false });
  electron.app.becomeReady();
  await app.ready;
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  expect(electron.window.isDestroyed()).toBe(false);
  electron.app.startAgain();
  expect(electron.window.isVisible()).toBe(true);

  settings.store = { ...defaultSettings, keepInTray: false };
  electron.window.close();
  expect(electron.window.isDestroyed()).toBe(true);
  await quit(electron, folder.path);
});

test('closing the window on a desktop without a tray ends the app by default', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], {
    hasKeyStore: false,
    hasTray: async () => false,
  });
  electron.app.becomeReady();
  await app.ready;
  const page = await preload(electron);
  expect(await page.calls['host.desktop']({})).toEqual({
    ok: true,
    value: {
      hasTray: false,
      notificationsFail: false,
      dictionaries: ['de', 'en-GB', 'en-US', 'pt-BR', 'uk'],
    },
  });
  settings.store = { ...defaultSettings, keepInTray: true };
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  electron.app.startAgain();
  expect(electron.window.isVisible()).toBe(true);

  settings.store = defaultSettings;
  electron.window.close();
  expect(await electron.app.exited).toBe(0);
});

test('the window has the chosen theme before it paints, and an icon where no desktop entry has one', async () => {
  using folder = temporaryFolder();
  const chosen = { store: { ...defaultSettings, theme: 'dark' as const } };
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, openSettings: () => chosen });
  electron.app.becomeReady();
  await app.ready;
  expect(electron.nativeTheme.themeSource).toBe('dark');
  expect(electron.window.options).toMatchObject({
    backgroundColor: '#141210',
    icon: expect.stringMatching(/256x256\.png$/),
  });
  await quit(electron, folder.path);
});

test('a full-screen window on macOS leaves that mode before it hides', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, [], { hasKeyStore: false, platform: 'darwin' });
  electron.app.becomeReady();
  await app.ready;
  const { window } = electron;
  window.setFullScreen(true);
  window.close();
  await eventually(
    async () => window.isFullScreen(),
    (isFull) => !isFull,
  );
  await eventually(
    async () => window.isVisible(),
    (isVisible) => !isVisible,
  );
  await quit(electron, folder.path);
});

test('C14: a window without screenshots has that setting before it is shown, until it is changed', async () => {
  using folder = temporaryFolder();
  const { electron, app, settings } = start(folder.path, [], { platform: 'darwin' });
  settings.store = { ...settings.store, contentProtection: true };
  electron.app.becomeReady();
  const seen: (boolean | null)[] = [];
  const { show } = BrowserWindowDouble.prototype;
  vi.spyOn(BrowserWindowDouble.prototype, 'show').mockImplementation(function (this: BrowserWindowDouble) {
    seen.push(this.contentProtection);
    show.call(this);
  });
  await app.ready;
  vi.restoreAllMocks();
  expect(seen).toEqual([true]);
  const page = await preload(electron);
  await page.calls['settings.set']({ contentProtection: false });
  expect(electron.window.contentProtection).toBe(false);
  await quit(electron, folder.path);
});

test('a second start during a hidden start at login shows the window', async () => {
  using folder = temporaryFolder();
  const { electron, app } = start(folder.path, ['--hidden'], { hasKeyStore: false });
  electron.app.startAgain();
  electron.app.becomeReady();
  await app.ready;
  expect(electron.window.isVisible()).toBe(true);
  electron.window.minimize();
  electron.app.startAgain();
  expect([electron.window.isMinimized(), electron.window.isFocused()]).toEqual([false, true]);
  await quit(electron, folder.path);
});
