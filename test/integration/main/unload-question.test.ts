/**
 * A page with unsaved data: closing, reloading and quitting ask; the end of the system does not.
 */
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { quitDesktop, startDesktop } from '../../support/started-desktop.ts';

const LEAVE = 1;

/** The app with a page that shows a secret. */
async function withSecret(folder: string, options: Parameters<typeof startDesktop>[2] = {}) {
  const desktop = startDesktop(folder, [], { hasKeyStore: false, ...options });
  desktop.electron.app.becomeReady();
  await desktop.app.ready;
  const { contents } = desktop.electron.window;
  contents.asksBeforeUnload = true;
  const { dialog } = desktop.electron;
  const questionsAre = (times: number) =>
    eventually(
      async () => dialog.messages.length,
      (length) => length === times,
    );
  return { ...desktop, contents, dialog, questionsAre };
}

/** Long enough for the app to act on the answer. */
const followed = () => new Promise((resolve) => setImmediate(resolve));

test('quitting from the tray with a shown secret opens the window and asks; staying keeps the app in its tray', async () => {
  using folder = temporaryFolder();
  const { electron, dialog, questionsAre, contents } = await withSecret(folder.path);
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  expect(dialog.messages, 'a window that only hides loses nothing').toEqual([]);
  electron.tray.menu?.click('Quit Waxwing');
  await questionsAre(1);
  expect(electron.window.isVisible()).toBe(true);
  expect(dialog.messages[0]).toMatchObject({
    message: 'Leave without saving?',
    buttons: ['Stay', 'Leave'],
    defaultId: 0,
    cancelId: 0,
  });
  await followed();
  expect(electron.app.exitCode).toBeNull();
  // The app is no longer quitting: its window hides again.
  electron.window.close();
  await eventually(
    async () => electron.window.isVisible(),
    (isVisible) => !isVisible,
  );
  contents.asksBeforeUnload = false;
  await quitDesktop(electron, folder.path);
});

test('leaving without the secret quits the app', async () => {
  using folder = temporaryFolder();
  const { electron, dialog } = await withSecret(folder.path);
  dialog.answer = LEAVE;
  electron.app.quit();
  expect(await electron.app.exited).toBe(0);
  expect(dialog.messages).toHaveLength(1);
});

test('a window that ends the app asks before it closes', async () => {
  using folder = temporaryFolder();
  const { electron, dialog, settings, questionsAre } = await withSecret(folder.path);
  settings.store = { ...defaultSettings, keepInTray: false };
  electron.window.close();
  await questionsAre(1);
  await followed();
  expect(electron.window.isDestroyed()).toBe(false);
  dialog.answer = LEAVE;
  electron.window.close();
  expect(await electron.app.exited).toBe(0);
});

test('reloading the page asks each time', async () => {
  using folder = temporaryFolder();
  const { electron, dialog, contents, questionsAre } = await withSecret(folder.path);
  contents.reload();
  await questionsAre(1);
  await followed();
  expect(contents.reloads).toBe(0);
  dialog.answer = LEAVE;
  contents.reload();
  await eventually(
    async () => contents.reloads,
    (reloads) => reloads === 1,
  );
  contents.asksBeforeUnload = true;
  contents.reload();
  await questionsAre(3);
  await quitDesktop(electron, folder.path);
});

test('quitting again shows no second question, and the answer to the first quits', async () => {
  using folder = temporaryFolder();
  const { electron, dialog, contents } = await withSecret(folder.path);
  const answer = Promise.withResolvers<number>();
  dialog.answer = answer.promise;
  contents.reload();
  electron.app.quit();
  electron.app.quit();
  expect(dialog.messages).toHaveLength(1);
  answer.resolve(LEAVE);
  expect(await electron.app.exited).toBe(0);
});

test.each([
  ['the shutdown of Linux', 'linux', 'shutdown'],
  ['the shutdown of macOS', 'darwin', 'shutdown'],
  ['the end of a session of Windows', 'win32', 'session-end'],
  ['SIGTERM', 'linux', 'SIGTERM'],
  ['SIGHUP', 'linux', 'SIGHUP'],
] as const)('%s does not wait for the question, also not for an open one', async (_end, platform, event) => {
  using folder = temporaryFolder();
  const { electron, dialog, signals, contents } = await withSecret(folder.path, { platform });
  dialog.answer = new Promise(() => undefined);
  contents.reload();
  expect(dialog.messages).toHaveLength(1);
  const source = {
    shutdown: electron.powerMonitor,
    'session-end': electron.window,
    SIGTERM: signals,
    SIGHUP: signals,
  };
  source[event].emit(event, { preventDefault: () => undefined, reasons: ['shutdown'] });
  expect(await electron.app.exited).toBe(0);
  expect(dialog.messages).toHaveLength(1);
});
