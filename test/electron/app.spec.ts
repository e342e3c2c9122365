/**
 * The app in the real Electron. Runs where its binary and a display are; elsewhere it says so and counts as skipped.
 */
import { fileURLToPath } from 'node:url';
import { _electron, expect, test } from '@playwright/test';
import { firstRun, send } from '../e2e/support/pages.ts';
import { temporaryFolder } from '../support/engine.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Named by scripts/test.mjs, where Electron can run.
const binary = process.env.WAXWING_ELECTRON;
test.skip(binary === undefined, 'Electron’s binary or a display is missing here.');

test('a newcomer talks to @echo; closing the window keeps the app; a second start ends at once', async () => {
  using folder = temporaryFolder();
  const launch = () =>
    _electron.launch({ executablePath: binary ?? '', args: [root, '--data', folder.path], cwd: root });
  const app = await launch();
  const window = await app.firstWindow();
  await firstRun(window, 'desktop');
  await window
    .getByRole('button', { name: /Say hello to @echo/ })
    .first()
    .click();
  await send(window, 'Hello from the desktop');
  await expect(window.getByRole('article', { name: /Message from Echo/ })).toBeVisible();

  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((each) => each.isVisible()));
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(isVisible).toBe(false);

  // The lock is held, so the second instance shows the first one's window and ends.
  await launch().catch(() => undefined);
  await expect.poll(isVisible).toBe(true);
  await app.close();
});
