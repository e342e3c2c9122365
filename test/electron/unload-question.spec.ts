/**
 * A window that shows a secret, in the real Electron: a browser asks before such a page unloads, and here the
 * app must ask.
 */
import { firstRun, openSettings } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { answerQuestions, keepQuestions, keptQuestions } from './main-process.ts';
import { binary, isPackaged, NO_INSPECTOR, type RunningApp, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');
test.skip(isPackaged, NO_INSPECTOR);

const QUESTION = 'Leave without saving?';
const LEAVE = 1;

/** The app of a newcomer who has just made an API key, and sees it. */
async function withSecret(folder: string): Promise<RunningApp> {
  const app = await startApp(folder);
  const { page } = app;
  await firstRun(page, 'desktop');
  await openSettings(page, 'API Settings');
  await page.getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('nightly build');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(secretOf(app)).toBeVisible();
  return app;
}

const secretOf = ({ page }: RunningApp) => page.getByRole('alertdialog').getByText(/^sk_live_/);

const quit = ({ main }: RunningApp) => main.run(({ app }) => app.quit(), null);

test('closing, reloading and quitting ask before a shown secret is lost', async () => {
  using folder = temporaryFolder();
  await using app = await withSecret(folder.path);
  await keepQuestions(app.main);
  await app.call('settings.set', { keepInTray: false });
  await app.main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null);
  await expect.poll(() => keptQuestions(app.main)).toEqual([QUESTION]);
  await expect(secretOf(app)).toBeVisible();
  await app.main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.reload(), null);
  await expect.poll(() => keptQuestions(app.main)).toHaveLength(2);
  await expect(secretOf(app)).toBeVisible();
  await quit(app);
  await expect.poll(() => keptQuestions(app.main)).toHaveLength(3);
  await expect(secretOf(app)).toBeVisible();

  await answerQuestions(app.main, LEAVE);
  await app.main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.reload(), null);
  await expect(app.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(secretOf(app)).toHaveCount(0);
  // A window without a page unloads without a question.
  await quit(app);
  expect(await app.ended()).toBe(0);
});

test('leaving a shown secret quits the app', async () => {
  using folder = temporaryFolder();
  await using app = await withSecret(folder.path);
  await keepQuestions(app.main);
  await answerQuestions(app.main, LEAVE);
  await quit(app);
  expect(await app.ended()).toBe(0);
});

test('a second attempt to quit gets the same question', async () => {
  using folder = temporaryFolder();
  await using app = await withSecret(folder.path);
  await keepQuestions(app.main);
  await answerQuestions(app.main, null);
  await quit(app);
  await expect.poll(() => keptQuestions(app.main)).toEqual([QUESTION]);
  await quit(app);
  await quit(app);
  expect(await keptQuestions(app.main)).toEqual([QUESTION]);
  await answerQuestions(app.main, LEAVE);
  expect(await app.ended()).toBe(0);
});

test('a signal ends the app in order while a question about a secret is open', async () => {
  test.skip(process.platform === 'win32', 'Windows has no signals.');
  using folder = temporaryFolder();
  await using app = await withSecret(folder.path);
  await quit(app);
  // The box of the system itself, which stays open.
  await expect(secretOf(app)).toBeVisible();
  app.process.kill('SIGTERM');
  expect(await app.ended()).toBe(0);
});
