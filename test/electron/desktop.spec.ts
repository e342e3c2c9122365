/**
 * The real Electron with the desktop: its window, its menu, its notifications and its clipboard.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstRun } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { knownBot } from './known-bot.ts';
import { hideWindow } from './main-process.ts';
import { BusMonitor } from './message-bus.ts';
import { binary, isPackaged, NO_INSPECTOR, type RunningApp, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');
test.skip(isPackaged, NO_INSPECTOR);

const boundsOf = ({ main }: RunningApp) =>
  main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds(), null);
const zoomOf = ({ main }: RunningApp) =>
  main.run(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel(), null);

/** A key with Ctrl or Cmd, sent by the system: input from Chromium's debugging never reaches a menu. */
const press = ({ main }: RunningApp, keyCode: string) =>
  main.run(({ BrowserWindow }, given) => {
    const modifiers: Electron.InputEvent['modifiers'] = [process.platform === 'darwin' ? 'cmd' : 'control'];
    BrowserWindow.getAllWindows()[0]?.webContents.sendInputEvent({
      type: 'keyDown',
      keyCode: given,
      modifiers,
    });
  }, keyCode);

test('the window fits the display at first, and returns to its last place later', async () => {
  using folder = temporaryFolder();
  const left = { x: 60, y: 70, width: 700, height: 600 };
  {
    await using app = await startApp(folder.path);
    const area = await app.main.run(({ screen }) => screen.getPrimaryDisplay().workArea, null);
    const first = await boundsOf(app);
    expect(first?.width).toBeLessThanOrEqual(area.width);
    expect(first?.height).toBeLessThanOrEqual(area.height);
    await app.main.run(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      left,
    );
    await expect.poll(() => boundsOf(app)).toEqual(left);
    await app.main.run(({ app: running }) => running.quit(), null);
    expect(await app.ended()).toBe(0);
  }
  await using again = await startApp(folder.path);
  expect(await boundsOf(again)).toEqual(left);
});

test('the zoom of the menu works with the keys of the keyboard and of its keypad', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await expect(app.page.getByRole('button', { name: 'Continue' })).toBeVisible();
  const labels = await app.main.run(
    ({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label),
    null,
  );
  expect(labels).toEqual(expect.arrayContaining(['File', 'Edit', 'View', 'Window', 'Help']));
  await press(app, '=');
  await expect.poll(() => zoomOf(app)).toBeGreaterThan(0);
  await press(app, '0');
  await expect.poll(() => zoomOf(app)).toBe(0);
  await press(app, 'numadd');
  await expect.poll(() => zoomOf(app)).toBeGreaterThan(0);
  await press(app, 'numsub');
  await expect.poll(() => zoomOf(app)).toBe(0);
});

test('the text of a message reaches the desktop as text and not as markup', async () => {
  test.skip(process.platform !== 'linux', 'Only on Linux they are markup.');
  using folder = temporaryFolder();
  await using bus = await BusMonitor.start(
    "interface='org.freedesktop.Notifications',member='Notify',type='method_call'",
  );
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  await app.call('settings.set', { notifications: 'full' });
  const port = readFileSync(join(folder.path, 'embedded', 'port'), 'utf8');
  const bot = await knownBot(app, `http://127.0.0.1:${port}`);
  await hideWindow(app.main);
  await bot.client.send('@desktop', '<a href="https://evil.example">a < b & c</a>', { automated: false });
  await expect
    .poll(() => bus.strings)
    .toContain('&lt;a href="https://evil.example"&gt;a &lt; b &amp; c&lt;/a&gt;');
});

test('an uncaught error is reported, and the app ends in order', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await expect(app.page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await app.main.run(({ dialog }) => {
    const reports: string[] = [];
    Object.assign(globalThis, { reports });
    dialog.showMessageBox = (async ({ message }: Electron.MessageBoxOptions) => {
      reports.push(message);
      return { response: 0, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    void Promise.reject(new Error('an action that failed'));
  }, null);
  const reports = () => app.main.run(() => (globalThis as unknown as { reports: string[] }).reports, null);
  await expect.poll(reports).toEqual(['Waxwing has a problem']);
  await app.main.run(() => {
    setTimeout(() => {
      throw new Error('nothing is known any more');
    });
  }, null);
  expect(await app.ended()).toBe(0);
});

test('a signal ends the app in order while the box of an error is open', async () => {
  test.skip(process.platform === 'win32', 'Windows has no signals.');
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await expect(app.page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await app.main.run(({ dialog }) => {
    const { showMessageBox } = dialog;
    dialog.showMessageBox = ((options: Electron.MessageBoxOptions) => {
      Object.assign(globalThis, { isOpen: true });
      return showMessageBox(options);
    }) as typeof dialog.showMessageBox;
    setTimeout(() => {
      throw new Error('nothing is known any more');
    });
  }, null);
  await expect.poll(() => app.main.run(() => 'isOpen' in globalThis, null)).toBe(true);
  app.process.kill('SIGTERM');
  expect(await app.ended()).toBe(0);
});

test('pasting with format keeps the format', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  const { address } = await app.call('people.resolve', { query: '@echo' });
  await app.call('conversations.open', { address });
  await app.page
    .getByRole('button', { name: /Say hello to @echo/ })
    .first()
    .click();
  const composer = app.page.getByRole('textbox', { name: 'Message to Echo' });
  await composer.fill('');
  // Copied from a page, so that the clipboard has the system's own formats.
  await app.page.evaluate(() => {
    const copied = document.createElement('p');
    const [bold, italic] = [document.createElement('b'), document.createElement('i')];
    bold.textContent = 'heron';
    italic.textContent = 'grey';
    copied.append('A ', bold, ', ', italic);
    document.body.append(copied);
    getSelection()?.selectAllChildren(copied);
    document.execCommand('copy');
    copied.remove();
  });
  await composer.click();
  await composer.press('ControlOrMeta+v');
  await expect(composer).toHaveValue('A **heron**, _grey_');
});
