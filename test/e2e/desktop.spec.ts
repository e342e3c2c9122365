import { expect, test } from '@playwright/test';
import { DesktopApp } from './support/electron/desktop-app.ts';
import { firstRun, send } from './support/pages.ts';

test('a newcomer', async ({ page }) => {
  await using app = new DesktopApp(page);
  await app.start();
  await firstRun(page, 'desktop');
  await page
    .getByRole('button', { name: /Say hello to @echo/ })
    .first()
    .click();
  await send(page, 'Hello from the desktop');
  await expect(page.getByRole('article', { name: /Message from Echo/ })).toBeVisible();
  console.log(await app.desktop.state(), app.relayUrl);
});
